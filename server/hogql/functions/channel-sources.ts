/** What sort of site a visit came from. */
type SourceKind = 'Search' | 'Social' | 'Shopping' | 'Video' | 'Email' | 'AI';

/** The channel of a source or medium; paid: null where an advertisement there says nothing. */
interface Channels {
  readonly paid: string | null;
  readonly organic: string;
}

/** The channels of each kind of site, by PostHog's names. */
const KIND_CHANNELS: Readonly<Record<SourceKind, Channels>> = {
  Search: { paid: 'Paid Search', organic: 'Organic Search' },
  Social: { paid: 'Paid Social', organic: 'Organic Social' },
  Shopping: { paid: 'Paid Shopping', organic: 'Organic Shopping' },
  Video: { paid: 'Paid Video', organic: 'Organic Video' },
  Email: { paid: null, organic: 'Email' },
  AI: { paid: null, organic: 'AI' },
};

/** Brands as campaigns name them, sites by their registrable domain or a host of their own, and apps by their ids. */
const SOURCES: Readonly<Record<SourceKind, string>> = {
  Search: `google bing yahoo duckduckgo ddg baidu yandex ecosia qwant startpage brave naver daum seznam sogou aol ask dogpile swisscows
    google.com google.ad google.ae google.at google.be google.bg google.ca google.ch google.cl google.cn google.co.id google.co.il
    google.co.in google.co.jp google.co.ke google.co.kr google.co.nz google.co.th google.co.uk google.co.za google.com.ar
    google.com.au google.com.br google.com.co google.com.eg google.com.hk google.com.mx google.com.my google.com.ng google.com.pe
    google.com.ph google.com.pk google.com.sa google.com.sg google.com.tr google.com.tw google.com.ua google.com.vn google.cz
    google.de google.dk google.ee google.es google.fi google.fr google.gr google.hr google.hu google.ie google.is google.it
    google.lt google.lu google.lv google.nl google.no google.pl google.pt google.ro google.rs google.ru google.se google.si
    google.sk googleadservices.com com.google.android.googlequicksearchbox com.google.android.gm.search bing.com msn.com yahoo.com
    yahoo.co.jp search.yahoo.com duckduckgo.com baidu.com yandex.ru yandex.com yandex.kz yandex.by yandex.com.tr ya.ru ecosia.org
    qwant.com startpage.com search.brave.com search.naver.com naver.com search.daum.net daum.net seznam.cz search.seznam.cz
    sogou.com so.com search.aol.com ask.com dogpile.com swisscows.com mojeek.com metager.de metager.org kagi.com search.marginalia.nu
    lycos.com webcrawler.com excite.com onet.pl rambler.ru coccoc.com petalsearch.com presearch.com presearch.org gibiru.com
    searx.be search.com info.com lite.duckduckgo.com html.duckduckgo.com karmasearch.org lilo.org oceanhero.today`,
  Social: `facebook fb ig instagram twitter x.com t.co linkedin lnkd.in reddit pinterest tiktok threads bluesky mastodon snapchat telegram
    whatsapp wechat weibo vk tumblr quora medium hackernews discord line messenger slack
    facebook.com m.facebook.com l.facebook.com lm.facebook.com fb.com fb.me messenger.com instagram.com l.instagram.com twitter.com
    mobile.twitter.com linkedin.com reddit.com out.reddit.com old.reddit.com redd.it pinterest.com pinterest.co.uk pinterest.de
    pinterest.fr pinterest.es pinterest.it pinterest.ca pinterest.jp pinterest.com.au pinterest.com.mx pin.it tiktok.com threads.net
    threads.com bsky.app bsky.social go.bsky.app mastodon.social mastodon.online mstdn.social fosstodon.org hachyderm.io infosec.exchange
    snapchat.com t.me telegram.org telegram.me web.telegram.org whatsapp.com web.whatsapp.com wa.me weixin.qq.com weibo.com weibo.cn
    vk.com ok.ru tumblr.com quora.com medium.com substack.com news.ycombinator.com lobste.rs indiehackers.com producthunt.com
    discord.com discordapp.com slack.com line.me xing.com viadeo.com meetup.com nextdoor.com goodreads.com stackoverflow.com
    stackexchange.com askubuntu.com superuser.com serverfault.com github.com gitlab.com dev.to hashnode.com hashnode.dev
    blogspot.com blogger.com livejournal.com wordpress.com disqus.com deviantart.com behance.net dribbble.com flickr.com imgur.com
    9gag.com douban.com zhihu.com xiaohongshu.com hatena.ne.jp b.hatena.ne.jp note.com ameblo.jp qiita.com zalo.me truthsocial.com
    gab.com minds.com lemmy.world lemmy.ml kbin.social skyrock.com myspace.com taringa.net wykop.pl habr.com pikabu.ru buffer.com
    hootsuite.com bit.ly ow.ly lnk.to linktr.ee plus.google.com
    com.facebook.katana com.facebook.orca com.instagram.android com.burbn.instagram com.twitter.android com.linkedin.android
    com.reddit.frontpage com.pinterest com.zhiliaoapp.musically com.snapchat.android org.telegram.messenger com.whatsapp
    com.instagram.barcelona xyz.blueskyweb.app com.discord com.slack`,
  Shopping: `amazon ebay etsy alibaba aliexpress walmart shopify temu shein rakuten mercadolibre shopping shopzilla idealo
    amazon.com amazon.ae amazon.ca amazon.cn amazon.co.jp amazon.co.uk amazon.com.au amazon.com.be amazon.com.br amazon.com.mx
    amazon.com.tr amazon.de amazon.eg amazon.es amazon.fr amazon.in amazon.it amazon.nl amazon.pl amazon.sa amazon.se amazon.sg
    amzn.to ebay.com ebay.at ebay.ca ebay.ch ebay.co.uk ebay.com.au ebay.de ebay.es ebay.fr ebay.ie ebay.it ebay.nl ebay.pl
    etsy.com alibaba.com 1688.com aliexpress.com aliexpress.us taobao.com tmall.com jd.com walmart.com target.com bestbuy.com
    costco.com wayfair.com homedepot.com shopify.com shop.app temu.com shein.com rakuten.com rakuten.co.jp mercadolibre.com
    mercadolibre.com.ar mercadolibre.com.mx mercadolivre.com.br shopee.com shopee.co.id shopee.co.th shopee.com.br shopee.sg
    lazada.com lazada.co.id lazada.co.th flipkart.com meesho.com allegro.pl otto.de zalando.de zalando.com idealo.de idealo.co.uk
    kelkoo.com pricerunner.com shopping.google.com shopping.com shopping.yahoo.co.jp bol.com coolblue.nl cdiscount.com fnac.com
    kaufland.de ozon.ru wildberries.ru americanas.com.br backmarket.com wish.com poshmark.com depop.com vinted.com stockx.com stripe.com`,
  Video: `youtube vimeo twitch dailymotion netflix hulu bilibili rumble
    youtube.com m.youtube.com youtu.be youtube-nocookie.com com.google.android.youtube vimeo.com twitch.tv tv.twitch.android.app
    dailymotion.com dai.ly netflix.com hulu.com disneyplus.com primevideo.com bilibili.com b23.tv youku.com iqiyi.com v.qq.com
    nicovideo.jp rutube.ru rumble.com odysee.com bitchute.com crunchyroll.com ted.com wistia.com loom.com viki.com veoh.com kick.com
    tubi.tv peertube.tv`,
  Email: `email newsletter mailchimp gmail outlook hotmail
    mail.google.com com.google.android.gm outlook.com outlook.live.com outlook.office.com outlook.office365.com mail.live.com
    com.microsoft.office.outlook mail.yahoo.com mail.yahoo.co.jp com.yahoo.mobile.client.android.mail mail.aol.com mail.proton.me
    mail.protonmail.com ch.protonmail.android proton.me fastmail.com app.fastmail.com tutanota.com app.tuta.com mail.zoho.com
    mail.zoho.eu icloud.com mail.ru e.mail.ru mail.yandex.ru mail.yandex.com mail.163.com mail.126.com mail.qq.com mail.naver.com
    gmx.net gmx.de gmx.com web.de mail.com t-online.de orange.fr laposte.net libero.it seznam-email.cz email.seznam.cz
    app.hey.com superhuman.com mail.superhuman.com com.apple.mobilemail org.mozilla.thunderbird com.fsck.k9 mailchi.mp`,
  AI: `chatgpt chatgpt.com chat.openai.com openai claude claude.ai perplexity perplexity.ai ai.perplexity.app gemini gemini.google.com
    bard.google.com copilot copilot.microsoft.com copilot.com meta.ai pi.ai poe.com you.com deepseek deepseek.com chat.deepseek.com
    grok grok.com x.ai chat.mistral.ai mistral.ai phind.com kimi.com kimi.moonshot.cn doubao.com chat.qwen.ai qwen.ai huggingface.co
    character.ai notebooklm.google.com duck.ai com.openai.chatgpt com.anthropic.claude com.google.android.apps.bard`,
};

/** Mediums of campaigns, in small letters, by their channel. */
const MEDIUMS: readonly (readonly [Channels, readonly string[]])[] = [
  [{ paid: null, organic: 'Affiliate' }, ['affiliate', 'partnership', 'partnerships']],
  [{ paid: null, organic: 'Audio' }, ['audio']],
  [{ paid: 'Display', organic: 'Display' }, ['banner', 'cpm', 'display', 'expandable', 'interstitial']],
  [{ paid: null, organic: 'Email' }, ['e mail', 'e-mail', 'e_mail', 'email']],
  [{ paid: null, organic: 'Push' }, ['mobile', 'notification', 'push']],
  [{ paid: null, organic: 'Referral' }, ['app', 'link', 'referral']],
  [{ paid: null, organic: 'SMS' }, ['sms']],
  [
    KIND_CHANNELS.Social,
    ['sm', 'social', 'social media', 'social network', 'social-media', 'social-network'],
  ],
  [KIND_CHANNELS.Video, ['video']],
];

/** The names of each value. */
export type LookupTable = readonly (readonly [value: string, names: readonly string[]])[];

function table(rows: readonly (readonly [string | null, readonly string[]])[]): LookupTable {
  return rows.flatMap(([value, names]) => (value === null ? [] : [[value, names] as const]));
}

const kinds = Object.entries(SOURCES).map(
  ([kind, names]) => [kind as SourceKind, names.trim().split(/\s+/)] as const,
);

/** What each function of HogQL looks up, by its name; `ofSites`: a host is found by its registrable domain too. */
export const CHANNEL_LOOKUPS: Readonly<Record<string, { table: LookupTable; ofSites: boolean }>> = {
  hogql_lookupDomainType: { table: table(kinds), ofSites: true },
  hogql_lookupPaidSourceType: {
    table: table(kinds.map(([kind, names]) => [KIND_CHANNELS[kind].paid, names])),
    ofSites: true,
  },
  hogql_lookupOrganicSourceType: {
    table: table(kinds.map(([kind, names]) => [KIND_CHANNELS[kind].organic, names])),
    ofSites: true,
  },
  hogql_lookupPaidMediumType: {
    table: table(MEDIUMS.map(([{ paid }, names]) => [paid, names])),
    ofSites: false,
  },
  hogql_lookupOrganicMediumType: {
    table: table(MEDIUMS.map(([{ organic }, names]) => [organic, names])),
    ofSites: false,
  },
};
