import { SAAS_CONTENT, SAAS_DAYS } from './saas-content.ts';
import {
  answerSurvey,
  exceptionOf,
  generationOf,
  momentOf,
  WORKING_HOURS,
  type Story,
  type StoryIds,
} from './story.ts';
import type { Session, Visitor } from './visitor.ts';
import { addressPart, companyOf, DESKTOPS, GOOGLE, MOBILES, nameOf, type Source } from './world.ts';

const OUTAGE_HOURS = [14, 16.5] as const;

const LAUNCH: Source = {
  weight: 0,
  referrer: 'https://www.producthunt.com/',
  utm: { source: 'producthunt', medium: 'referral', campaign: 'launch' },
  quality: 0.5,
};
const CAMPAIGN: Source = {
  weight: 0,
  referrer: GOOGLE,
  utm: { source: 'google', medium: 'cpc', campaign: 'freelancer-weeks' },
  quality: 0.8,
};

const INDUSTRIES = ['design', 'software', 'consulting', 'photography', 'translation', 'architecture'];
const TEMPLATES = ['classic', 'minimal', 'studio', 'bold'];
const FLAG = 'onboarding-checklist';

interface Customer {
  plan: 'free' | 'pro' | 'team';
  /** What a month costs. */
  price: number;
  company: string;
  isActivated: boolean;
  /** From 0 to 1, how much the product is needed. */
  need: number;
  hasAnswered: boolean;
}

/** Paperboat: invoices for freelancers, free for three clients, with paid plans. */
export const saasStory: Story = {
  name: 'Paperboat (demo)',
  origin: 'https://paperboat.example',
  library: () => ({ $lib: 'web', $lib_version: '1.298.0' }),
  devices: (random) => random.weighted(random.chance(0.82) ? DESKTOPS : MOBILES),
  traffic: {
    week: [1.25, 1.3, 1.25, 1.2, 1, 0.45, 0.55],
    monthlyGrowth: 1.07,
    bursts: [
      { day: SAAS_DAYS.launch, height: 7, halfLife: 1.6, source: LAUNCH },
      { day: SAAS_DAYS.campaign, height: 1.7, halfLife: 14, source: CAMPAIGN },
    ],
  },
  visitors: 690,
  live(visitor, { day, source }, ids) {
    const { random, timeline } = visitor;
    const session = visitor.begin(momentOf(visitor, timeline, day, WORKING_HOURS), source);
    const isPersuaded = lookAround(visitor, session, source);
    if (isPersuaded) return signUp(visitor, session, day, ids);
    if (!random.chance(0.25)) return;
    const later = day + random.between(1, 12);
    const second = visitor.begin(momentOf(visitor, timeline, later, WORKING_HOURS));
    if (lookAround(visitor, second, { ...source, quality: source.quality * 1.6 }))
      signUp(visitor, second, later, ids);
  },
  content: SAAS_CONTENT,
};

/** The public pages; whether the visitor decides to sign up. */
function lookAround({ random }: Visitor, session: Session, { quality }: Source): boolean {
  const isReader = random.chance(0.3);
  if (isReader)
    session.page(random.pick(['/blog/late-payments', '/blog/day-rates', '/blog/vat-abroad']), 'Blog');
  else session.page('/', 'Invoices that get paid');
  if (random.chance(isReader ? 0.65 : 0.38)) {
    session.capture('$pageleave');
    return false;
  }
  if (isReader) session.page('/', 'Invoices that get paid');
  if (random.chance(0.55)) session.page('/features', 'Features');
  if (random.chance(0.2)) session.page('/docs/getting-started', 'Getting started');
  if (random.chance(0.6)) {
    session.page('/pricing', 'Pricing');
    if (random.chance(0.3)) session.capture('pricing toggled', { period: 'yearly' });
    if (random.chance(Math.min(0.9, 0.42 * quality))) {
      session.capture('$autocapture', {
        $event_type: 'click',
        $el_text: 'Start for free',
      });
      return true;
    }
  }
  if (random.chance(0.05 * quality)) return true;
  session.capture('$pageleave');
  return false;
}

function signUp(visitor: Visitor, session: Session, day: number, ids: StoryIds): void {
  const { random } = visitor;
  session.page('/signup', 'Create your account');
  session.capture('signup started');
  if (!random.chance(visitor.device.$device_type === 'Desktop' ? 0.78 : 0.58)) return;
  const name = nameOf(random);
  const company = companyOf(random);
  const slug = company.toLowerCase().replaceAll(' ', '-');
  const email = `${addressPart(name)}@${slug}.example`;
  const companyId = `${slug}-${random.hex(4)}`;
  const customer: Customer = {
    plan: 'free',
    price: 0,
    company: companyId,
    isActivated: false,
    need: random.next() ** 1.6,
    hasAnswered: false,
  };
  // Most people who try a product of their own are testing it.
  const isTester = random.chance(0.01);
  const set = { name, email: isTester ? email.replace(/@.*/, '@paperboat.example') : email, plan: 'free' };
  session.identify(`user_${random.hex(12)}`, set, { signed_up_at: new Date(session.now).toISOString() });
  const industry = random.pick(INDUSTRIES);
  const employees = random.chance(0.6) ? 1 : random.between(2, 30);
  visitor.carry({ $groups: { company: companyId } });
  session.capture('$groupidentify', {
    $group_type: 'company',
    $group_key: companyId,
    $group_set: { name: company, industry, employees, plan: 'free' },
  });
  if (day >= SAAS_DAYS.experiment) {
    const variant = visitor.variantOf(FLAG);
    visitor.carry({ [`$feature/${FLAG}`]: variant });
    session.capture('$feature_flag_called', { $feature_flag: FLAG, $feature_flag_response: variant });
  }
  session.capture('signed up', { method: random.chance(0.55) ? 'google' : 'email', plan: 'free' });
  session.page('/app/welcome', 'Welcome');
  const isTest = day >= SAAS_DAYS.experiment && visitor.variantOf(FLAG) === 'test';
  if (random.chance((isTest ? 0.66 : 0.5) * (0.7 + 0.6 * customer.need))) {
    customer.isActivated = true;
    session.page('/app/clients', 'Clients');
    session.capture('client added', { source: 'manual' });
    if (random.chance(0.88)) createInvoice(visitor, session, true);
  } else if (random.chance(0.5)) session.page('/app/dashboard', 'Dashboard');
  stay(visitor, day, customer, ids);
}

/** The days after the first one. */
function stay(visitor: Visitor, first: number, customer: Customer, ids: StoryIds): void {
  const { random, timeline } = visitor;
  const { need, isActivated } = customer;
  const lasting = isActivated ? 0.05 + 0.42 * need ** 1.6 : 0.01;
  const fading = isActivated ? 0.45 : 0.22;
  const decay = isActivated ? 14 : 4;
  // Each month some find that they do not need it any more.
  const lastDay = first + Math.round(-Math.log(1 - random.next()) * (isActivated ? 60 + 420 * need : 25));
  for (let day = first + 1; day <= Math.min(lastDay, timeline.today); day++) {
    const age = day - first;
    const isWeekend = day % 7 > 4;
    const chance = (lasting + fading * Math.exp(-age / decay)) * (isWeekend ? 0.3 : 1.1);
    if (random.chance(chance)) work(visitor, day, age, customer, ids);
    if (customer.plan !== 'free' && age % 30 === 0) bill(visitor, day, customer);
  }
}

function work(visitor: Visitor, day: number, age: number, customer: Customer, ids: StoryIds): void {
  const { random, timeline, device } = visitor;
  const session = visitor.begin(momentOf(visitor, timeline, day, WORKING_HOURS));
  const [from, to] = OUTAGE_HOURS;
  if (session.now >= timeline.at(SAAS_DAYS.outage, from) && session.now < timeline.at(SAAS_DAYS.outage, to)) {
    session.page('/app/dashboard', 'Dashboard');
    session.capture('$exception', exceptionOf('ApiError', '503 Service Unavailable', { file: 'api/client.ts', fn: 'request', line: 88 })); // prettier-ignore
    return;
  }
  session.page('/app/dashboard', 'Dashboard');
  const acts = Math.min(8, 1 + Math.floor(random.around(1.1 + 1.2 * customer.need, 1.6)));
  for (let act = 0; act < acts; act++) {
    const dice = random.next();
    if (dice < 0.38) createInvoice(visitor, session, customer.isActivated);
    else if (dice < 0.52) {
      session.page('/app/clients', 'Clients');
      if (random.chance(0.35))
        session.capture('client added', { source: random.chance(0.8) ? 'manual' : 'csv' });
    } else if (dice < 0.72) session.capture('time entry added', { minutes: 15 * random.between(1, 24) });
    else if (dice < 0.86) session.page('/app/reports', 'Reports');
    else if (customer.plan !== 'free')
      session.capture('report exported', { format: random.pick(['pdf', 'csv']) });
    else session.page('/app/settings', 'Settings');
    if (day >= SAAS_DAYS.assistant && random.chance(customer.plan === 'free' ? 0.05 : 0.2))
      session.capture(
        '$ai_generation',
        generationOf(random, {
          span: random.pick(['draft reminder', 'describe service', 'translate invoice']),
          prompt: 'Write a friendly reminder for invoice 2041, 14 days overdue.',
          answer: 'Hello, just a short reminder that invoice 2041 has been open for two weeks.',
        }),
      );
  }
  const isBroken = day >= SAAS_DAYS.bug && day < SAAS_DAYS.fix && device.$browser.includes('Safari');
  if (isBroken && random.chance(0.6))
    session.capture('$exception', exceptionOf('TypeError', "undefined is not an object (evaluating 'preview.pages')", { file: 'invoices/preview.ts', fn: 'renderPreview', line: 142 })); // prettier-ignore
  else if (random.chance(0.012)) session.capture('$exception', exceptionOf(...random.pick(USUAL_ERRORS)));
  if (customer.isActivated) decide(visitor, session, age, day, customer);
  if (age > 30 && customer.isActivated && !customer.hasAnswered && random.chance(0.2)) {
    customer.hasAnswered = true;
    const score = 5.2 + 4.5 * customer.need + 2.4 * (random.next() - 0.4);
    answerSurvey(visitor, session, ids, { share: 0.55, score });
  }
}

const USUAL_ERRORS: readonly (readonly [string, string, { file: string; fn: string; line: number }])[] = [
  ['RangeError', 'Invalid time value', { file: 'time/entry.ts', fn: 'parseDuration', line: 31 }],
  ['NetworkError', 'Failed to fetch', { file: 'api/client.ts', fn: 'request', line: 74 }],
  [
    'QuotaExceededError',
    'The quota has been exceeded.',
    { file: 'drafts/store.ts', fn: 'saveDraft', line: 19 },
  ],
];

function createInvoice({ random }: Visitor, session: Session, isUsual: boolean): void {
  session.page('/app/invoices/new', 'New invoice');
  if (!random.chance(isUsual ? 0.85 : 0.4)) return;
  const amount = 10 * Math.round(random.around(68, 2.1));
  session.capture('invoice created', { amount, currency: 'EUR', template: random.pick(TEMPLATES) });
  if (!random.chance(0.84)) return;
  session.capture('invoice sent', {
    amount,
    currency: 'EUR',
    channel: random.chance(0.8) ? 'email' : 'link',
  });
  // Clients take their time.
  const now = session.now;
  if (random.chance(0.8)) {
    session.wait(86_400 * random.around(6, 2));
    session.capture('invoice paid', { amount, currency: 'EUR' });
  }
  session.now = now;
}

/** Plans go up and down. */
function decide(visitor: Visitor, session: Session, age: number, day: number, customer: Customer): void {
  const { random } = visitor;
  const proPrice = day < SAAS_DAYS.price ? 12 : 15;
  if (customer.plan === 'free' && age >= 5) {
    const eagerness = (day < SAAS_DAYS.price ? 0.014 : 0.011) * (0.3 + 1.4 * customer.need);
    if (random.chance(eagerness * 1.8)) {
      session.page('/app/upgrade', 'Choose a plan');
      session.capture('upgrade started', { plan: 'pro' });
      if (random.chance(0.62)) change(session, customer, 'pro', proPrice, 'plan upgraded');
    }
  } else if (customer.plan === 'pro' && random.chance(0.004)) {
    change(session, customer, 'team', proPrice * random.between(3, 8), 'plan upgraded');
  } else if (customer.plan !== 'free' && random.chance(0.004 * (1.4 - customer.need))) {
    session.capture('subscription canceled', { plan: customer.plan, reason: random.pick(['too expensive', 'missing feature', 'no longer needed']) }); // prettier-ignore
    change(session, customer, 'free', 0, 'plan downgraded');
  }
}

function change(
  session: Session,
  customer: Customer,
  plan: Customer['plan'],
  price: number,
  event: string,
): void {
  session.set(event, { from: customer.plan, to: plan, mrr: price }, { plan });
  session.capture('$groupidentify', {
    $group_type: 'company',
    $group_key: customer.company,
    $group_set: { plan, mrr: price },
  });
  [customer.plan, customer.price] = [plan, price];
}

function bill(visitor: Visitor, day: number, { plan, price }: Customer): void {
  const session = visitor.begin(visitor.timeline.at(day, 4 + visitor.random.next()));
  if (visitor.random.chance(0.97))
    session.capture('payment succeeded', { plan, amount: price, currency: 'EUR' });
  else session.capture('payment failed', { plan, amount: price, currency: 'EUR', reason: 'card declined' });
}
