import type { Expected, GoldenTable } from './golden-table.ts';

type Row = readonly [string, Expected];

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** A text in base 58, as one large number. */
function base58(text: string): string {
  const bytes = [...Buffer.from(text)];
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let digits = '';
  for (; number > 0n; number /= 58n) digits = ALPHABET[Number(number % 58n)]! + digits;
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + digits;
}
const WORDS = ['Hello', 'a', 'Füchse und Hühner', 'x'.repeat(100)];

const bytes: GoldenTable = {
  title: 'texts as bytes',
  rows: [
    ...WORDS.flatMap((word): Row[] => [
      [`base58Encode('${word}')`, base58(word)],
      [`base58Decode('${base58(word)}')`, word],
      [`tryBase58Decode('${base58(word)}')`, word],
    ]),
    [`base58Encode('')`, ''],
    [`base58Encode(NULL)`, null],
    [`base58Decode('0OIl')`, null],
    [`tryBase58Decode('0OIl')`, ''],
    [`hex(bitSlice('Hello', 1, 8))`, '48'],
    [`bitSlice('Hello', 1, 2)`, '@'],
    [`bitSlice('Hello', 17)`, 'llo'],
    [`bitSlice('Hello', -4, 8)`, null],
    [`bitSlice('ab', -7, 7)`, null],
    [`bitSlice('Hello', 99)`, ''],
    [`convertCharset('Jürgen', 'ISO-8859-1', 'UTF-8')`, Buffer.from('Jürgen').toString('latin1')],
    [`convertCharset('JÃ¼rgen', 'UTF-8', 'latin1')`, 'Jürgen'],
    [`convertCharset('Jürgen', 'utf-8', 'us-ascii')`, 'J?rgen'],
    [`convertCharset('Jürgen', 'utf-8', 'latin1')`, null],
    [`convertCharset('', 'utf8', 'ascii')`, ''],
  ],
};

const turned = (value: bigint, by: number): number => {
  const bits = BigInt.asUintN(64, value).toString(2).padStart(64, '0');
  return Number(BigInt.asIntN(64, BigInt(`0b${bits.slice(by)}${bits.slice(0, by)}`)));
};
/** How often one of the positive has the higher score, of all pairs. */
function auc(scores: readonly number[], labels: readonly number[]): number {
  const [won, all] = [[], []] as [number[], number[]];
  for (const [i, a] of scores.entries()) {
    for (const [j, b] of scores.entries()) {
      if (labels[i]! <= 0 || labels[j]! > 0) continue;
      all.push(1);
      won.push(a > b ? 1 : a === b ? 0.5 : 0);
    }
  }
  return won.reduce((sum, one) => sum + one, 0) / all.length;
}
const SCORES = [0.1, 0.4, 0.35, 0.8, 0.35];
const LABELS = [0, 0, 1, 1, 0];

const values = [1, 2, 2, 5];
const kinds = new Set(values).size;

const counts: GoldenTable = {
  title: 'different values up to a number',
  from: `(SELECT arrayJoin([${values.join(', ')}]) AS x)`,
  rows: [
    ['uniqUpTo(5)(x)', kinds],
    ['uniqUpTo(3)(x)', kinds],
    ['uniqUpTo(2)(x)', 3],
    ['uniqUpToIf(2)(x, x < 2)', 1],
  ],
};

const numbers: GoldenTable = {
  title: 'numbers that are seldom asked for',
  rows: [
    [`bitRotateLeft(5, 1)`, turned(5n, 1)],
    [`bitRotateLeft(-2, 1)`, turned(-2n, 1)],
    [`bitRotateLeft(7, 64)`, 7],
    [`bitRotateRight(16, 3)`, turned(16n, 61)],
    ['bitRotateRight(-2, 1)', '9223372036854775807'],
    [`bitRotateRight(NULL, 1)`, null],
    [`multiplyDecimal(4.35, 100, 0)`, 435],
    [`multiplyDecimal(1.239, 1.1, 2)`, 1.36],
    [`multiplyDecimal(-12.5, 2)`, -25],
    [`divideDecimal(10, 3, 4)`, 3.3333],
    [`divideDecimal(-10, 3, 2)`, -3.33],
    [`divideDecimal(1, 0)`, null],
    [`arrayAUC([${SCORES.join(', ')}], [${LABELS.join(', ')}])`, auc(SCORES, LABELS)],
    [`arrayAUC([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])`, auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])],
    [`arrayAUC([0.1, 0.4], [1, 1])`, null],
    [`generateSeries(1, 5, 2)`, [1, 3, 5]],
    [`generateSeries(0, 3)`, [0, 1, 2, 3]],
    [`generateSeries(3, 1, -1)`, [3, 2, 1]],
    [`length(generateSeries(1, toInt('4')))`, 4],
    ...['_toInt8', '_toInt16', '_toInt32', '_toInt64', '_toUInt64', '_toUInt128'].flatMap((name): Row[] => [
      [`${name}('42')`, 42],
      [`${name}(7.9)`, 7],
    ]),
    [`_toNullableBool('true')`, true],
    [`_toNullableBool(0)`, false],
    [`_toDate('2026-03-29 11:00:00')`, '2026-03-29'],
    [`_toDate(NULL)`, null],
    [`tryDecodeURLComponent('a%20b')`, 'a b'],
    [`tryDecodeURLComponent('%zz')`, '%zz'],
  ],
};

const moments: GoldenTable = {
  title: 'intervals and moments that are made of parts',
  timezone: 'Europe/Berlin',
  rows: [
    [`make_interval(0, 1, 1, 0, 0, 0) + toDate('2026-01-31')`, '2026-03-01'],
    // The clocks go forward between them.
    [`make_interval(0, 0, 1, 0, 30, 0) + toDateTime('2026-03-28 12:00:00')`, '2026-03-29T10:30:00Z'],
    [`make_interval(0, 0, 0, 24, 0, 1) + toDateTime('2026-03-28 12:00:00')`, '2026-03-29T11:00:01Z'],
    [`toDateTime('2026-03-28 12:00:00') - make_interval(1, 0, 0, 0, 0, 0)`, '2025-03-28T11:00:00Z'],
    [`make_timestampz(2026, 7, 1, 12, 0, 0, 'UTC')`, '2026-07-01T10:00:00Z'],
    [`make_timestampz(2026, 1, 1, 12, 0, 0, 'UTC')`, '2026-01-01T11:00:00Z'],
  ],
};

const near: GoldenTable = {
  title: 'words that stand in a text but for some letters',
  rows: [
    [`multiFuzzyMatchAny('the quick brown fox', 1, ['quikc', 'bruwn'])`, 1],
    [`multiFuzzyMatchAny('the quick brown fox', 1, ['quokc', 'fux jumps'])`, 0],
    [`multiFuzzyMatchAny('the quick brown fox', 2, ['quokc'])`, 1],
    [`multiFuzzyMatchAny(NULL, 1, ['a'])`, null],
    [`multiFuzzyMatchAnyIndex('the quick brown fox', 1, ['slow', 'brwn', 'fox'])`, 2],
    [`multiFuzzyMatchAnyIndex('the quick brown fox', 0, ['brwn'])`, 0],
    [`multiFuzzyMatchAllIndices('the quick brown fox', 1, ['slow', 'brwn', 'fax'])`, [2, 3]],
    [`multiFuzzyMatchAllIndices('', 1, ['slow'])`, []],
  ],
};

/** User agents with what they are: type, category, name, operator. */
const AGENTS = [
  [
    'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'AI Agent',
    'ai_crawler',
    'GPTBot',
    'OpenAI',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0)',
    'AI Agent',
    'ai_assistant',
    'ChatGPT',
    'OpenAI',
  ],
  ['Mozilla/5.0 (compatible; PerplexityBot/1.0)', 'AI Agent', 'ai_search', 'Perplexity', 'Perplexity'],
  ['Googlebot-Image/1.0', 'Bot', 'search_crawler', 'Googlebot-Image', 'Google'],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Bot',
    'search_crawler',
    'Googlebot',
    'Google',
  ],
  ['TelegramBot (like TwitterBot)', 'Bot', 'social_crawler', 'TelegramBot', 'Telegram'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0',
    'Automation',
    'headless_browser',
    'Headless Chrome',
    'Google',
  ],
  ['curl/8.5.0', 'Automation', 'http_client', 'curl', 'curl'],
] as const;
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';

const visitors: GoldenTable = {
  title: 'who visits, by the user agent',
  rows: [
    ...AGENTS.flatMap(([agent, type, category, name, operator]): Row[] => [
      [`getTrafficType('${agent}')`, type],
      [`getTrafficCategory('${agent}')`, category],
      [`getBotType('${agent}')`, category],
      [`getBotName('${agent}')`, name],
      [`getBotOperator('${agent}')`, operator],
      [`isLikelyBot('${agent}')`, true],
      [`__preview_getTrafficCategory('${agent}')`, category],
      [`__preview_getBotType('${agent}')`, category],
      [`__preview_getBotName('${agent}')`, name],
      [`__preview_getBotOperator('${agent}')`, operator],
      [`__preview_isBot('${agent}')`, true],
    ]),
    [`getTrafficType('${SAFARI}', '66.249.66.1')`, 'Regular'],
    [`__preview_getTrafficType('${SAFARI}')`, 'Regular'],
    [`getTrafficCategory('${SAFARI}')`, 'regular'],
    [`getBotType('${SAFARI}')`, ''],
    [`getBotName('${SAFARI}')`, ''],
    [`getBotOperator('${SAFARI}')`, ''],
    [`isLikelyBot('${SAFARI}')`, false],
    // Without a user agent it is a program.
    ...["''", 'NULL'].flatMap((agent): Row[] => [
      [`getTrafficType(${agent})`, 'Automation'],
      [`__preview_getTrafficType(${agent})`, 'Automation'],
      [`getTrafficCategory(${agent})`, 'no_user_agent'],
      [`getBotType(${agent})`, 'no_user_agent'],
      [`getBotName(${agent})`, ''],
      [`getBotOperator(${agent})`, ''],
      [`isLikelyBot(${agent})`, true],
    ]),
  ],
};

const channels: GoldenTable = {
  title: 'channels of sources and mediums',
  rows: [
    [`hogql_lookupDomainType('www.google.de')`, 'Search'],
    [`hogql_lookupDomainType('mail.google.com')`, 'Email'],
    [`hogql_lookupDomainType('shop.test')`, null],
    [`hogql_lookupDomainType('')`, null],
    [`hogql_lookupDomainType(NULL)`, null],
    [`hogql_lookupPaidSourceType('facebook')`, 'Paid Social'],
    [`hogql_lookupPaidSourceType('mail.google.com')`, 'Paid Search'],
    [`hogql_lookupPaidSourceType('chatgpt.com')`, null],
    [`hogql_lookupOrganicSourceType('chat.mistral.ai')`, 'AI'],
    [`hogql_lookupOrganicSourceType('https://youtu.be/abc')`, 'Organic Video'],
    [`hogql_lookupPaidMediumType('cpm')`, 'Display'],
    [`hogql_lookupPaidMediumType('email')`, null],
    [`hogql_lookupOrganicMediumType('email')`, 'Email'],
    [`hogql_lookupOrganicMediumType('Email')`, null],
  ],
};

export const seldomAskedTables: readonly GoldenTable[] = [
  bytes,
  channels,
  counts,
  numbers,
  moments,
  near,
  visitors,
];
