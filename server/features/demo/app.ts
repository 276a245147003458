import { APP_CONTENT, APP_DAYS } from './app-content.ts';
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
import { addressPart, MOBILES, nameOf, type Source } from './world.ts';

const OUTAGE_HOURS = [14, 17] as const;

const FEATURED: Source = {
  weight: 0,
  referrer: 'https://apps.apple.com/',
  utm: { source: 'app-store', medium: 'editorial', campaign: 'app-of-the-day' },
  quality: 0.7,
};
const VIDEOS: Source = {
  weight: 0,
  referrer: 'https://www.tiktok.com/',
  utm: { source: 'tiktok', medium: 'video', campaign: 'ten-minutes' },
  quality: 0.5,
};

const LANGUAGES = [
  { weight: 40, name: 'Spanish' },
  { weight: 22, name: 'French' },
  { weight: 16, name: 'German' },
  { weight: 12, name: 'Japanese' },
  { weight: 10, name: 'Italian' },
];
const FLAG = 'yearly-plan-first';

interface Learner {
  language: string;
  plan: 'free' | 'trial' | 'plus';
  /** Days one after another with a lesson. */
  streak: number;
  lessons: number;
  /** From 0 to 1. */
  zeal: number;
  hasAnswered: boolean;
}

/** Wrensong: language lessons on the phone, free with a limit, with a subscription. */
export const appStory: Story = {
  name: 'Wrensong (demo)',
  origin: '',
  library: ({ $os }) => ({
    $lib: $os === 'Android' ? 'posthog-android' : 'posthog-ios',
    $lib_version: $os === 'Android' ? '3.26.0' : '3.34.0',
    $app_name: 'Wrensong',
  }),
  devices: (random) => random.weighted(MOBILES),
  traffic: {
    week: [1, 0.95, 0.95, 0.95, 0.9, 1.1, 1.2],
    monthlyGrowth: 1.06,
    bursts: [
      { day: APP_DAYS.featured, height: 5, halfLife: 1.5, source: FEATURED },
      { day: APP_DAYS.resolutions, height: 2.2, halfLife: 7, source: VIDEOS },
    ],
  },
  visitors: 99,
  live(visitor, { day, source }, ids) {
    const { random, timeline } = visitor;
    visitor.carry({ $app_version: versionOf(day) });
    const session = visitor.begin(momentOf(visitor, timeline, day, LEISURE_HOURS), source);
    session.capture('Application Installed', { version: versionOf(day) });
    session.capture('Application Opened', { from_background: false });
    session.screen('Welcome');
    if (!random.chance(0.5 + 0.3 * source.quality)) return;
    session.screen('Choose language');
    const language = random.weighted(LANGUAGES).name;
    session.capture('language chosen', { language });
    if (!random.chance(0.82)) return;
    session.screen('Create account');
    if (!random.chance(0.78)) return;
    const name = nameOf(random);
    const email = `${addressPart(name)}${random.between(1, 99)}@mail.example`;
    session.identify(`learner_${random.hex(12)}`, { name, email, language, plan: 'free' });
    if (random.chance(0.12)) joinClass(visitor, session, language);
    session.capture('signed up', { method: random.pick(['apple', 'google', 'email']), language });
    const learner: Learner = {
      language,
      plan: 'free',
      streak: 0,
      lessons: 0,
      zeal: random.next() ** 1.4,
      hasAnswered: false,
    };
    if (random.chance(0.88)) learn(visitor, session, learner);
    keepLearning(visitor, day, learner, ids);
  },
  content: APP_CONTENT,
};

function versionOf(day: number): string {
  return `3.${Math.floor(day / 14)}.0`;
}

/** Some learn with a class of their school. */
function joinClass(visitor: Visitor, session: Session, language: string): void {
  const { random, place } = visitor;
  const key = `class-${place.code.toLowerCase()}-${random.between(1, 12)}`;
  visitor.carry({ $groups: { classroom: key } });
  session.capture('$groupidentify', {
    $group_type: 'classroom',
    $group_key: key,
    $group_set: { name: `${language} ${key.split('-').at(-1)}`, country: place.country },
  });
  session.capture('class joined', { classroom: key });
}

function keepLearning(visitor: Visitor, first: number, learner: Learner, ids: StoryIds): void {
  const { random, timeline } = visitor;
  const lastDay = first + Math.round(-Math.log(1 - random.next()) * (25 + 380 * learner.zeal));
  for (let day = first + 1; day <= Math.min(lastDay, timeline.today); day++) {
    const age = day - first;
    const isRecent = learner.streak > 0 ? 0.16 : 0;
    const reminded = day >= APP_DAYS.reminders ? 0.05 : 0;
    const chance = 0.03 + 0.36 * learner.zeal + 0.4 * Math.exp(-age / 6) + isRecent + reminded;
    if (!random.chance(Math.min(0.93, chance))) {
      learner.streak = 0;
      continue;
    }
    if (age % 14 === 0) visitor.carry({ $app_version: versionOf(day) });
    practice(visitor, day, learner, ids);
    if (learner.plan === 'plus' && age % 30 === 0) renew(visitor, day, learner);
  }
}

function practice(visitor: Visitor, day: number, learner: Learner, ids: StoryIds): void {
  const { random, timeline, device } = visitor;
  const session = visitor.begin(momentOf(visitor, timeline, day, LEISURE_HOURS));
  const isReminded = day >= APP_DAYS.reminders && random.chance(0.3);
  if (isReminded)
    session.capture('notification opened', { kind: learner.streak > 2 ? 'streak' : 'reminder' });
  session.capture('Application Opened', { from_background: isReminded });
  const [from, to] = OUTAGE_HOURS;
  if (session.now >= timeline.at(APP_DAYS.outage, from) && session.now < timeline.at(APP_DAYS.outage, to)) {
    session.capture('$exception', exceptionOf('SyncError', 'The server could not be reached.', { file: 'Sync.kt', fn: 'pull', line: 64 })); // prettier-ignore
    return;
  }
  session.screen('Home');
  const isCrashing = day >= APP_DAYS.crash && day < APP_DAYS.fix && device.$os === 'Android';
  if (isCrashing && random.chance(0.4)) {
    session.capture('$exception', exceptionOf('NullPointerException', 'AudioFocusRequest was null', { file: 'LessonPlayer.kt', fn: 'onStart', line: 118 })); // prettier-ignore
    return;
  }
  const lessons = random.chance(0.3 + 0.3 * learner.zeal) ? 2 : 1;
  for (let lesson = 0; lesson < lessons; lesson++) learn(visitor, session, learner);
  learner.streak++;
  if ([3, 7, 30, 100].includes(learner.streak)) session.capture('streak reached', { days: learner.streak });
  if (random.chance(0.2)) session.screen(random.pick(['Profile', 'Leaderboard', 'Dictionary']));
  if (day >= APP_DAYS.speaking && random.chance(learner.plan === 'free' ? 0.05 : 0.28)) {
    session.screen('Conversation');
    session.capture(
      '$ai_generation',
      generationOf(random, {
        span: random.pick(['conversation', 'explain mistake']),
        prompt: `Answer me in easy ${learner.language}: where is the station?`,
        answer: 'It is two streets to the left, next to the bakery.',
      }),
    );
  }
  if (random.chance(0.006)) session.capture('$exception', exceptionOf('TimeoutError', 'Audio took longer than 10 s', { file: 'Audio.swift', fn: 'prepare', line: 41, handled: true })); // prettier-ignore
  if (learner.plan === 'free' && random.chance(0.1)) offer(visitor, session, day, learner);
  else if (learner.plan === 'trial' && random.chance(0.18)) endTrial(visitor, session, learner);
  if (learner.lessons > 12 && !learner.hasAnswered && random.chance(0.12)) {
    learner.hasAnswered = true;
    const score = 6 + 4 * learner.zeal + 2 * (random.next() - 0.5);
    answerSurvey(visitor, session, ids, { share: 0.6, score });
  }
}

function learn({ random }: Visitor, session: Session, learner: Learner): void {
  session.screen('Lesson');
  session.capture('lesson started', {
    language: learner.language,
    unit: 1 + Math.floor(learner.lessons / 8),
  });
  session.wait(random.around(240, 1.5));
  if (!random.chance(0.86)) return;
  learner.lessons++;
  session.capture('lesson completed', {
    language: learner.language,
    unit: 1 + Math.floor(learner.lessons / 8),
    score: Math.min(100, Math.round(62 + 34 * random.next() + 8 * learner.zeal)),
  });
}

function offer(visitor: Visitor, session: Session, day: number, learner: Learner): void {
  const { random } = visitor;
  let isTest = false;
  if (day >= APP_DAYS.experiment) {
    const variant = visitor.variantOf(FLAG);
    isTest = variant === 'test';
    visitor.carry({ [`$feature/${FLAG}`]: variant });
    session.capture('$feature_flag_called', { $feature_flag: FLAG, $feature_flag_response: variant });
  }
  session.screen('Plus');
  session.capture('paywall shown', { place: random.pick(['after lesson', 'profile', 'limit']) });
  if (!random.chance((isTest ? 0.17 : 0.06) * (0.6 + learner.zeal))) return;
  learner.plan = 'trial';
  session.set(
    'trial started',
    { period: isTest || random.chance(0.4) ? 'year' : 'month' },
    { plan: 'trial' },
  );
}

function endTrial({ random }: Visitor, session: Session, learner: Learner): void {
  if (random.chance(0.35 + 0.35 * learner.zeal)) {
    learner.plan = 'plus';
    const isYear = random.chance(0.45);
    session.set('subscription started', { period: isYear ? 'year' : 'month', amount: isYear ? 71.99 : 8.99, currency: 'EUR' }, { plan: 'plus' }); // prettier-ignore
  } else {
    learner.plan = 'free';
    session.set(
      'trial ended',
      { reason: random.pick(['price', 'no time', 'missing language']) },
      { plan: 'free' },
    );
  }
}

function renew(visitor: Visitor, day: number, learner: Learner): void {
  const { random, timeline } = visitor;
  const session = visitor.begin(timeline.at(day, 3 + random.next()));
  if (random.chance(0.94)) session.capture('subscription renewed', { amount: 8.99, currency: 'EUR' });
  else {
    learner.plan = 'free';
    session.set('subscription canceled', { reason: random.pick(['price', 'no time']) }, { plan: 'free' });
  }
}
