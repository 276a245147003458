import type { Expected, GoldenTable } from './golden-table.ts';

type Row = readonly [string, Expected];

const SENTENCE = 'Änderung: one two-Three, 4four';
const tokens = SENTENCE.split(/[^0-9A-Za-z\u{80}-\u{10FFFF}]+/u).filter((one) => one !== '');
const letters = Array.from('añ😀bc');

const words: GoldenTable = {
  title: 'tokens and letters of texts',
  rows: [
    [`tokens('${SENTENCE}')`, tokens],
    [`tokens('-- ')`, []],
    ['tokens(NULL)', null],
    [`hasToken('${SENTENCE}', 'two')`, 1],
    [`hasToken('${SENTENCE}', 'four')`, 0],
    [`hasTokenCaseInsensitive('${SENTENCE}', 'THREE')`, 1],
    [`hasTokenCaseInsensitive('${SENTENCE}', 'thre')`, 0],
    [`hasTokenOrNull('${SENTENCE}', 'two-Three')`, null],
    [`hasTokenOrNull('${SENTENCE}', 'two')`, 1],
    [`hasTokenCaseInsensitiveOrNull('${SENTENCE}', '')`, null],
    [`hasTokenCaseInsensitiveOrNull('${SENTENCE}', 'ONE')`, 1],
    [`hasAllTokens('${SENTENCE}', ['one', 'two'])`, 1],
    [`hasAllTokens('${SENTENCE}', 'one five')`, 0],
    [`hasAnyTokens('${SENTENCE}', ['five', 'two'])`, 1],
    [`hasAnyTokens('${SENTENCE}', 'five six')`, 0],
    ...['hasSubsequence', 'hasSubsequenceUTF8'].flatMap((name): Row[] => [
      [`${name}('garbage', 'ñ')`, 0],
      [`${name}('abñcd', 'añd')`, 1],
      [`${name}('abc', 'ca')`, 0],
      [`${name}('abc', 'aa')`, 0],
      [`${name}('abc', '')`, 1],
      [`${name}(NULL, 'a')`, null],
    ]),
    ...['hasSubsequenceCaseInsensitive', 'hasSubsequenceCaseInsensitiveUTF8'].flatMap((name): Row[] => [
      [`${name}('ABÑ', 'añ')`, 1],
      [`${name}('ABC', 'd')`, 0],
    ]),
    [`ngrams('${letters.join('')}', 3)`, letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))],
    [`ngrams('ab', 3)`, []],
    [`ngrams('ab', 1)`, ['a', 'b']],
    [`format('{} of {}', 1, 'two')`, '1 of two'],
    [`format('{1}{0}{1}', 'a', 'ñ')`, 'ñañ'],
    [`format('{{{}}}', 'a')`, '{a}'],
    [`format('{}', NULL)`, null],
    [`encodeXMLComponent('<a b="c">&''ñ')`, '&lt;a b=&quot;c&quot;&gt;&amp;&apos;ñ'],
    [`encodeXMLComponent('')`, ''],
    [`btrim('  a ')`, 'a'],
    [`btrim('xax', 'x')`, 'a'],
    [`translateUTF8('añb', 'ñb', 'nc')`, 'anc'],
    [`translateUTF8('aab', 'a', 'ñ')`, 'ññb'],
    [`countSubstrings('abab ab', 'ab', 2)`, 2],
    [`countSubstringsCaseInsensitive('ABab', 'ab', 3)`, 1],
    [`countSubstringsCaseInsensitiveUTF8('ÑñÑ', 'ñ')`, 3],
    [`countSubstringsCaseInsensitiveUTF8('', 'ñ')`, 0],
    [`splitByChar(',', 'a,b,c', 2)`, ['a', 'b']],
    [`splitByChar(',', 'a,b', 0)`, ['a', 'b']],
    [`splitByString(', ', 'a, b, c', 1)`, ['a']],
    [`splitByRegexp('[0-9]', 'a1b2c', 2)`, ['a', 'b']],
    [`splitByWhitespace(' a  b c', 2)`, ['a', 'b']],
    [`splitByNonAlpha('a,b;c', 9)`, ['a', 'b', 'c']],
    [`alphaTokens('ab1c2d', 2)`, ['ab', 'c']],
  ],
};

const PAIRS = 'a=1;bc=22;d=';
const found = Array.from(PAIRS.matchAll(/(\w+)=(\d*)/g), ([, key, value]) => [key!, value!]);
const POSITIONS = [3, 0];

const searches: GoldenTable = {
  title: 'groups of patterns, and several words at once',
  rows: [
    ...['extractAllGroups', 'extractAllGroupsVertical'].flatMap((name): Row[] => [
      [`${name}('${PAIRS}', '(\\\\w+)=(\\\\d*)')`, found],
      [`${name}('', '(a)')`, []],
      [`${name}(NULL, '(a)')`, null],
    ]),
    [
      `extractAllGroupsHorizontal('${PAIRS}', '(\\\\w+)=(\\\\d*)')`,
      [found.map(([key]) => key!), found.map(([, value]) => value!)],
    ],
    [`extractAllGroupsHorizontal('b', '(a)')`, [[]]],
    [`multiMatchAllIndices('hello', ['^h', 'z', 'l+'])`, [1, 3]],
    [`multiMatchAllIndices('hello', ['z'])`, []],
    ...['', 'CaseInsensitive'].flatMap((ending): Row[] => {
      const text = ending === '' ? 'añb' : 'aÑB';
      return [
        [`multiSearchAny${ending}UTF8('${text}', ['x', 'ñ'])`, 1],
        [`multiSearchAny${ending}UTF8('${text}', ['x'])`, 0],
        [`multiSearchFirstIndex${ending}UTF8('${text}', ['x', 'b'])`, 2],
        [`multiSearchFirstIndex${ending}UTF8('${text}', ['x'])`, 0],
        [`multiSearchFirstPosition${ending}UTF8('${text}', ['b', 'ñ'])`, 2],
        [`multiSearchFirstPosition${ending}UTF8('${text}', ['x'])`, 0],
        [`multiSearchAllPositions${ending}UTF8('${text}', ['b', 'x'])`, POSITIONS],
        [`multiSearchAllPositions${ending}UTF8('', ['b'])`, [0]],
      ];
    }),
    [`sortableSemVer('v1.20.3-rc.1')`, [1, 20, 3]],
    [`sortableSemVer(' 10.0.0 ')`, [10, 0, 0]],
    [`sortableSemVer('01.2.3')`, null],
    [`sortableSemVer('1.2')`, null],
    [`sortableSemVer(NULL)`, null],
  ],
};

const addresses: GoldenTable = {
  title: 'parts of addresses one after the other',
  rows: [
    [`netloc('http://paul@www.example.com:80/a?b')`, 'paul@www.example.com:80'],
    [`netloc('not an address')`, ''],
    [`cutToFirstSignificantSubdomainWithWWW('https://news.example.com.tr/')`, 'example.com.tr'],
    [`cutToFirstSignificantSubdomainWithWWW('https://www.tr/')`, 'www.tr'],
    [
      `URLHierarchy('https://example.com/browse//CONV-6788?q=ñ')`,
      [
        'https://example.com/',
        'https://example.com/browse//',
        'https://example.com/browse//CONV-6788?',
        'https://example.com/browse//CONV-6788?q=ñ',
      ],
    ],
    [`URLHierarchy('')`, []],
    [`URLPathHierarchy('https://example.com/browse/CONV-6788')`, ['/browse/', '/browse/CONV-6788']],
    [`URLPathHierarchy('https://example.com/')`, []],
    [`URLPathHierarchy(NULL)`, null],
    [`encodeURLFormComponent('a b&ñ')`, encodeURIComponent('a b&ñ').replaceAll('%20', '+')],
    [`encodeURLFormComponent('')`, ''],
  ],
};

const conversions: GoldenTable = {
  title: 'conversions under further names',
  timezone: 'Europe/Berlin',
  rows: [
    [`toIntOrZero('12')`, 12],
    [`toIntOrZero('x')`, 0],
    ['toUIntOrZero(NULL)', 0],
    [`toUIntOrZero('7')`, 7],
    ['toNullableString(12)', '12'],
    ['toNullableString(NULL)', null],
    [`to_date('2026-11-20 23:59:59')`, '2026-11-20'],
    [`to_date('none')`, null],
    [`toString(make_timestamptz(2026, 1, 20, 12, 0, 0, 'America/New_York'))`, '2026-01-20 06:00:00'],
    [`make_timestamptz(2026, 1, 20, 12, 0, 0, 'America/New_York')`, '2026-01-20T11:00:00Z'],
    [`make_timestamptz(2026, 2, 30, 12, 0, 0, 'UTC')`, null],
    [`timeSlots(toDateTime('2026-01-01T12:20:00Z'), 600)`, ['2026-01-01T12:00:00Z', '2026-01-01T12:30:00Z']],
    [`length(timeSlots(toDateTime('2026-01-01T12:20:00Z'), 3600, 300))`, 13],
    ['timeSlots(NULL, 600)', null],
  ],
};

export const wordTables: readonly GoldenTable[] = [words, searches, addresses, conversions];
