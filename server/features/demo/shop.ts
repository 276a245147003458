import { SHOP_CONTENT, SHOP_DAYS } from './shop-content.ts';
import {
  answerSurvey,
  exceptionOf,
  generationOf,
  LEISURE_HOURS,
  momentOf,
  type Story,
  type StoryIds,
} from './story.ts';
import type { Session, Visitor } from './visitor.ts';
import { addressPart, DESKTOPS, GOOGLE, MOBILES, nameOf, type Source } from './world.ts';

const OUTAGE_HOURS = [18, 20.5] as const;

const SALE: Source = {
  weight: 0,
  referrer: '',
  utm: { source: 'newsletter', medium: 'email', campaign: 'anniversary-sale' },
  quality: 1.5,
};
const VIDEO: Source = {
  weight: 0,
  referrer: 'https://www.youtube.com/',
  utm: { source: 'youtube', medium: 'influencer', campaign: 'hut-to-hut' },
  quality: 0.4,
};
const ADS: Source = {
  weight: 0,
  referrer: GOOGLE,
  utm: { source: 'google', medium: 'cpc', campaign: 'rain-jackets' },
  quality: 0.9,
};

const PRODUCTS = [
  { weight: 9, sku: 'JKT-2', name: 'Drizzle rain jacket', category: 'jackets', price: 129 },
  { weight: 7, sku: 'BOT-1', name: 'Scree hiking boots', category: 'shoes', price: 169 },
  { weight: 6, sku: 'TNT-2', name: 'Two-person tent', category: 'camping', price: 289 },
  { weight: 8, sku: 'PCK-3', name: 'Daypack 24 l', category: 'backpacks', price: 89 },
  { weight: 4, sku: 'PCK-6', name: 'Trekking pack 55 l', category: 'backpacks', price: 199 },
  { weight: 8, sku: 'SCK-1', name: 'Merino socks', category: 'clothing', price: 19 },
  { weight: 7, sku: 'BTL-1', name: 'Steel bottle', category: 'camping', price: 27 },
  { weight: 5, sku: 'LMP-1', name: 'Headlamp', category: 'camping', price: 45 },
  { weight: 5, sku: 'FLC-2', name: 'Ridge fleece', category: 'clothing', price: 79 },
] as const;
const FLAG = 'one-page-checkout';

interface Customer {
  isMember: boolean;
  orders: number;
  hasAnswered: boolean;
}

/** Larch & Loft: outdoor equipment, with orders, returns and a club. */
export const shopStory: Story = {
  name: 'Larch & Loft (demo)',
  origin: 'https://larchandloft.example',
  library: () => ({ $lib: 'web', $lib_version: '1.298.0' }),
  devices: (random) => random.weighted(random.chance(0.42) ? DESKTOPS : MOBILES),
  traffic: {
    week: [0.9, 0.85, 0.85, 1, 0.95, 1.15, 1.3],
    monthlyGrowth: 1.05,
    bursts: [
      { day: SHOP_DAYS.sale, height: 3.2, halfLife: 3, source: SALE },
      { day: SHOP_DAYS.video, height: 4.5, halfLife: 1.8, source: VIDEO },
      { day: 28, height: 1.3, halfLife: 60, source: ADS },
    ],
  },
  visitors: 860,
  live(visitor, { day, source }, ids) {
    const { random, timeline } = visitor;
    const customer: Customer = { isMember: false, orders: 0, hasAnswered: false };
    visitor.carry({ $groups: { store: storeOf(visitor) } });
    const eagerness = random.next();
    let next = day;
    let from: Source | null = source;
    for (let visit = 0; visit < 40 && next <= timeline.today; visit++) {
      const session = visitor.begin(momentOf(visitor, timeline, next, LEISURE_HOURS), from);
      shop(visitor, session, next, { customer, quality: source.quality, eagerness, ids });
      // Who has bought comes back after weeks, who has only looked within days or never.
      const returns = customer.orders > 0 ? 0.42 + 0.4 * eagerness + (customer.isMember ? 0.1 : 0) : 0.24;
      if (!random.chance(Math.min(0.92, returns))) return;
      next += Math.ceil(random.around(customer.orders > 0 ? 16 : 3, 2.2));
      from = next > SHOP_DAYS.sale && next < SHOP_DAYS.saleEnds ? SALE : null;
    }
  },
  content: SHOP_CONTENT,
};

const STORES = { 'store-eu': 'Europe', 'store-us': 'North America', 'store-world': 'Worldwide' } as const;

function storeOf({ place }: Visitor): keyof typeof STORES {
  return place.continent[0] === 'EU' ? 'store-eu' : place.continent[0] === 'NA' ? 'store-us' : 'store-world';
}

interface Mood {
  customer: Customer;
  quality: number;
  eagerness: number;
  ids: StoryIds;
}

function shop(visitor: Visitor, session: Session, day: number, mood: Mood): void {
  const { random, device } = visitor;
  const { customer, quality, eagerness } = mood;
  const isSale = day >= SHOP_DAYS.sale && day < SHOP_DAYS.saleEnds;
  if (random.chance(0.4)) session.page('/', 'Larch & Loft');
  else session.page(`/guides/${random.pick(['layering', 'first-tent', 'boot-fit'])}`, 'Guides');
  const cart: { sku: string; price: number }[] = [];
  const looks = Math.min(7, Math.floor(random.around(1.5 + eagerness, 1.7)));
  for (let look = 0; look < looks; look++) {
    const product = random.weighted(PRODUCTS);
    if (random.chance(0.55)) session.page(`/c/${product.category}`, product.category);
    session.page(`/p/${product.sku.toLowerCase()}`, product.name);
    session.capture('product viewed', { sku: product.sku, product: product.name, category: product.category, price: product.price }); // prettier-ignore
    if (day >= SHOP_DAYS.adviser && random.chance(0.05))
      session.capture(
        '$ai_generation',
        generationOf(random, {
          span: random.pick(['size adviser', 'compare products']),
          prompt: `Which size of the ${product.name} fits me at 178 cm?`,
          answer: 'Take size M; choose L if you wear a fleece below it.',
        }),
      );
    const isTempted = 0.2 * quality * (isSale ? 1.5 : 1) * (customer.orders > 0 ? 1.7 : 1);
    if (!random.chance(Math.min(0.7, isTempted))) continue;
    cart.push(product);
    session.capture('product added', { sku: product.sku, category: product.category, price: product.price });
  }
  const isBroken = day >= SHOP_DAYS.bug && day < SHOP_DAYS.fix && device.$browser === 'Samsung Internet';
  if (random.chance(0.01)) session.capture('$exception', exceptionOf('ChunkLoadError', 'Loading chunk 14 failed.', { file: 'gallery/zoom.ts', fn: 'loadZoom', line: 12 })); // prettier-ignore
  if (cart.length === 0) return session.capture('$pageleave');
  session.page('/cart', 'Cart');
  if (!random.chance(isSale ? 0.78 : 0.62)) return session.capture('$pageleave');
  checkOut(visitor, session, day, { mood, cart, isBroken, isSale });
}

interface Checkout {
  mood: Mood;
  cart: readonly { sku: string; price: number }[];
  isBroken: boolean;
  isSale: boolean;
}

function checkOut(
  visitor: Visitor,
  session: Session,
  day: number,
  { mood, cart, isBroken, isSale }: Checkout,
): void {
  const { random, timeline, device } = visitor;
  const { customer, ids } = mood;
  let isTest = false;
  if (!visitor.isIdentified) {
    const name = nameOf(random);
    const email = `${addressPart(name)}.${random.hex(3)}@mail.example`;
    session.page('/checkout', 'Checkout');
    session.identify(`customer_${random.hex(12)}`, { name, email, plan: 'guest' });
  } else session.page('/checkout', 'Checkout');
  if (day >= SHOP_DAYS.experiment) {
    const variant = visitor.variantOf(FLAG);
    isTest = variant === 'test';
    visitor.carry({ [`$feature/${FLAG}`]: variant });
    session.capture('$feature_flag_called', { $feature_flag: FLAG, $feature_flag_response: variant });
  }
  const total = cart.reduce((sum, { price }) => sum + price, 0);
  session.capture('checkout started', { items: cart.length, value: total });
  if (isBroken) return session.capture('$exception', exceptionOf('TypeError', "Cannot read properties of null (reading 'submit')", { file: 'checkout/form.ts', fn: 'submitAddress', line: 57 })); // prettier-ignore
  const isPhone = device.$device_type === 'Mobile';
  if (!random.chance((isTest ? 0.84 : 0.68) * (isPhone ? 0.9 : 1))) return;
  session.capture('payment info added', { method: random.pick(['card', 'card', 'wallet', 'invoice']) });
  const [from, to] = OUTAGE_HOURS;
  const isDown =
    session.now >= timeline.at(SHOP_DAYS.outage, from) && session.now < timeline.at(SHOP_DAYS.outage, to);
  if (isDown || random.chance(0.02)) {
    session.capture('payment failed', {
      value: total,
      reason: isDown ? 'provider unavailable' : 'card declined',
    });
    if (isDown) session.capture('$exception', exceptionOf('PaymentError', '504 Gateway Timeout', { file: 'checkout/pay.ts', fn: 'authorize', line: 203 })); // prettier-ignore
    return;
  }
  if (!random.chance(isTest ? 0.93 : 0.86)) return;
  const discount = isSale ? 0.2 : customer.isMember ? 0.05 : 0;
  const revenue = Math.round(100 * total * (1 - discount)) / 100;
  customer.orders++;
  session.set(
    'order completed',
    {
      revenue,
      currency: 'EUR',
      items: cart.length,
      coupon: isSale ? 'ANNIVERSARY' : null,
      is_first: customer.orders === 1,
    },
    { orders: customer.orders },
  );
  if (customer.orders === 1 && random.chance(0.3)) {
    const store = storeOf(visitor);
    session.capture('$groupidentify', {
      $group_type: 'store',
      $group_key: store,
      $group_set: { name: STORES[store], currency: 'EUR' },
    });
  }
  session.page('/thanks', 'Thank you');
  if (day >= SHOP_DAYS.club && !customer.isMember && random.chance(0.16)) {
    customer.isMember = true;
    session.set('club joined', { after_orders: customer.orders }, { plan: 'club' });
  }
  if (!customer.hasAnswered && random.chance(0.3)) {
    customer.hasAnswered = true;
    answerSurvey(visitor, session, ids, { share: 0.5, score: 7.6 + 4 * (random.next() - 0.55) });
  }
  if (random.chance(0.07)) {
    session.wait(86_400 * random.around(9, 1.5));
    session.capture('order returned', {
      revenue: -revenue,
      reason: random.pick(['size', 'size', 'color', 'quality']),
    });
  }
}
