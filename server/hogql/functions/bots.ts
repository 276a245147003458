/** What a program that visits on its own does. */
export type BotCategory =
  | 'ai_crawler'
  | 'ai_search'
  | 'ai_assistant'
  | 'search_crawler'
  | 'seo_crawler'
  | 'social_crawler'
  | 'monitoring'
  | 'headless_browser'
  | 'http_client';

/** A program that names itself in its user agent. */
export interface Bot {
  /** What its user agent contains, in small letters. */
  readonly sign: string;
  readonly name: string;
  readonly category: BotCategory;
  readonly operator: string;
}

/** Per category and operator: signs, each with the name where that is not the sign with a capital letter. */
const LINES = `
ai_crawler OpenAI: gptbot=GPTBot
ai_crawler Anthropic: claudebot=Claude, anthropic-ai=anthropic-ai, claude-web=Claude Web
ai_crawler Common Crawl: ccbot=CCBot
ai_crawler ByteDance: bytespider, tiktokspider=TikTok AI
ai_crawler Meta: meta-externalagent=Meta-ExternalAgent
ai_crawler Amazon: amazonbot=Amazon
ai_crawler Cohere: cohere-training-data-crawler=cohere-training-data-crawler, cohere-ai=cohere-ai
ai_crawler Google: google-extended=Google-Extended, google-cloudvertexbot=Google Cloud Vertex, googleother=GoogleOther
ai_crawler Diffbot: diffbot
ai_crawler Allen Institute for AI: ai2bot=AI2Bot
ai_crawler Huawei: pangubot=PanguBot, petalbot=Petal
ai_crawler Bright Data: brightbot
ai_crawler Webz.io: omgili=Webz.io, webzio-extended=Webz.io Extended
ai_crawler Timpi: timpibot=Timpi
ai_search OpenAI: oai-searchbot=OpenAI Search
ai_search Perplexity: perplexitybot=Perplexity
ai_search Anthropic: claude-searchbot=Claude Search
ai_search Apple: applebot-extended=Apple AI, applebot
ai_search You.com: youbot=YouBot
ai_assistant OpenAI: chatgpt-user=ChatGPT
ai_assistant Anthropic: claude-user=Claude User
ai_assistant Perplexity: perplexity-user=Perplexity User
ai_assistant Mistral AI: mistralai-user=Mistral AI
ai_assistant DuckDuckGo: duckassistbot=DuckDuckGo AI
ai_assistant Meta: meta-externalfetcher=Meta Fetcher
search_crawler Google: googlebot-image=Googlebot-Image, googlebot-news=Googlebot-News, googlebot-video=Googlebot-Video, googlebot, adsbot-google=AdsBot-Google, mediapartners-google=Mediapartners-Google, storebot-google=Storebot-Google, google-inspectiontool=Google-InspectionTool
search_crawler Microsoft: bingbot, msnbot, bingpreview=BingPreview
search_crawler Yandex: yandexbot=YandexBot, yandeximages=YandexImages
search_crawler Baidu: baiduspider
search_crawler DuckDuckGo: duckduckbot=DuckDuckBot
search_crawler Yahoo: slurp=Yahoo! Slurp
search_crawler Seznam: seznambot=SeznamBot
search_crawler Naver: yeti/=Yeti
search_crawler Sogou: sogou=Sogou Spider
search_crawler Qwant: qwantbot
search_crawler Internet Archive: archive.org_bot=archive.org_bot, ia_archiver=ia_archiver
seo_crawler Ahrefs: ahrefsbot=Ahrefs, ahrefssiteaudit=AhrefsSiteAudit
seo_crawler Semrush: semrushbot=SemrushBot, siteauditbot=SiteAuditBot
seo_crawler Moz: rogerbot, dotbot=DotBot
seo_crawler Majestic: mj12bot=MJ12bot
seo_crawler DataForSEO: dataforseobot=DataForSeoBot
seo_crawler Screaming Frog: screaming frog=Screaming Frog SEO Spider
seo_crawler WebMeUp: blexbot=BLEXBot
seo_crawler SISTRIX: sistrix=SISTRIX Crawler
seo_crawler Babbar: barkrowler
social_crawler Meta: facebookbot=Facebook Bot, facebookexternalhit=Facebook, facebookcatalog=facebookcatalog, whatsapp=WhatsApp
social_crawler X: twitterbot
social_crawler LinkedIn: linkedinbot=LinkedInBot
social_crawler Pinterest: pinterestbot
social_crawler Slack: slackbot, slack-imgproxy=Slack-ImgProxy
social_crawler Discord: discordbot
social_crawler Telegram: telegrambot=TelegramBot
social_crawler Reddit: redditbot
social_crawler Snap: snap url preview=Snap URL Preview
social_crawler Microsoft: skypeuripreview=SkypeUriPreview
social_crawler Mastodon: mastodon/=Mastodon
monitoring UptimeRobot: uptimerobot=UptimeRobot
monitoring Pingdom: pingdom
monitoring StatusCake: statuscake=StatusCake
monitoring Better Stack: better uptime=Better Uptime Bot, betterstack=Better Stack
monitoring Site24x7: site24x7=Site24x7
monitoring New Relic: newrelicpinger=NewRelicPinger
monitoring Datadog: datadogsynthetics=DatadogSynthetics, datadog
monitoring Checkly: checkly
monitoring Google: google-site-verification=Google-Site-Verification, googlestackdrivermonitoring=GoogleStackdriverMonitoring, chrome-lighthouse=Chrome-Lighthouse
monitoring Amazon: amazon-route53-health-check=Amazon Route 53 Health Check, elb-healthchecker=ELB-HealthChecker
monitoring Kubernetes: kube-probe=kube-probe
headless_browser Google: headlesschrome=Headless Chrome, puppeteer
headless_browser Microsoft: playwright
headless_browser Selenium: selenium
headless_browser Cypress: cypress/=Cypress
headless_browser PhantomJS: phantomjs=PhantomJS
headless_browser Prerender.io: prerender
http_client curl: curl/=curl
http_client GNU: wget/=Wget
http_client Python: python-requests=python-requests, python-urllib=Python-urllib, aiohttp=aiohttp, httpx/=HTTPX, scrapy=Scrapy
http_client Node.js: axios/=axios, node-fetch=node-fetch, undici=undici, got (=got
http_client Go: go-http-client=Go-http-client
http_client Java: okhttp=OkHttp, apache-httpclient=Apache-HttpClient, java/=Java
http_client PHP: guzzlehttp=GuzzleHttp
http_client Ruby: faraday
http_client Perl: libwww-perl=libwww-perl
http_client Postman: postmanruntime=PostmanRuntime
http_client Insomnia: insomnia/=Insomnia
`;

function botsOf(line: string): Bot[] {
  const [, category, operator, signs] = /^(\w+) ([^:]+): (.+)$/.exec(line)!;
  return signs!.split(', ').map((text) => {
    const [sign, name = `${text[0]!.toUpperCase()}${text.slice(1)}`] = text.split('=') as [string, string?];
    return { sign, name, category: category as BotCategory, operator: operator! };
  });
}

/** Programs by what their user agents say; the longest sign that one contains is its own. */
export const BOTS: readonly Bot[] = LINES.trim()
  .split('\n')
  .flatMap(botsOf)
  .toSorted((a, b) => b.sign.length - a.sign.length);

/** The kind of traffic, as PostHog calls it. */
function trafficType({ category }: Bot): 'AI Agent' | 'Bot' | 'Automation' {
  if (category.startsWith('ai_')) return 'AI Agent';
  return category === 'http_client' || category === 'headless_browser' ? 'Automation' : 'Bot';
}

/** What a function of HogQL says of a program, of a visit without a user agent, and of people. */
interface BotField {
  of(bot: Bot): string;
  readonly nameless: string;
  readonly people: string;
}

export const BOT_FIELDS: Readonly<Record<string, BotField>> = {
  getTrafficType: { of: trafficType, nameless: 'Automation', people: 'Regular' },
  getTrafficCategory: { of: ({ category }) => category, nameless: 'no_user_agent', people: 'regular' },
  getBotType: { of: ({ category }) => category, nameless: 'no_user_agent', people: '' },
  getBotName: { of: ({ name }) => name, nameless: '', people: '' },
  getBotOperator: { of: ({ operator }) => operator, nameless: '', people: '' },
};
