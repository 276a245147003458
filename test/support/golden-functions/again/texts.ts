import { createHash } from 'node:crypto';
import type { Expected, GoldenTable } from '../golden-table.ts';

const letters = (text: string): string[] => [...text];
const reversed = (text: string): string => letters(text).toReversed().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const strings: GoldenTable = {
  title: 'texts, again',
  rows: [
    [`lengthUTF8('😀ñ😀')`, letters('😀ñ😀').length],
    [`char_length('')`, 0],
    [`character_length('abc')`, 3],
    [`octet_length('😀')`, Buffer.byteLength('😀')],
    [`lower('ÀB')`, 'Àb'],
    [`lcase('Ñ')`, 'Ñ'],
    [`lowerUTF8('ABC')`, 'abc'],
    [`ucase('ñ')`, 'ñ'],
    [`upperUTF8('abc')`, 'ABC'],
    [`initcap('a bc')`, 'A Bc'],
    [`reverse('😀ab')`, 'ba�'],
    [`reverseUTF8('ñandu')`, reversed('ñandu')],
    [`concatAssumeInjective('x', 'y', 'z')`, 'xyz'],
    [`concatWithSeparator(', ', 'a', 'b')`, ['a', 'b'].join(', ')],
    [`substr('hello', 2)`, 'hello'.slice(1)],
    [`mid('hello', 4, 9)`, 'hello'.slice(3)],
    [`substringUTF8('😀ab', 2)`, letters('😀ab').slice(1).join('')],
    [`left('añb', 2)`, 'añb'.slice(0, 2)],
    [`right('añb', 2)`, 'añb'.slice(-2)],
    [`lpad('abc', 5, '-')`, 'abc'.padStart(5, '-')],
    [`leftPadUTF8('ab', 4, 'ñ')`, 'ab'.padStart(4, 'ñ')],
    [`rightPad('ab', 4)`, 'ab'.padEnd(4)],
    [`rpad('abc', 5, '-')`, 'abc'.padEnd(5, '-')],
    [`rightPadUTF8('ab', 3, 'ñ')`, 'ab'.padEnd(3, 'ñ')],
    [`trimBoth('  a  b ')`, '  a  b '.trim()],
    [`trimLeft('   ')`, ''],
    [`ltrim('a ')`, 'a '],
    [`trimRight('a')`, 'a'],
    [`rtrim('  a  ')`, '  a'],
    [`space(0)`, ''],
    [`base64Encode('hello')`, base64('hello')],
    [`to_base64('ñ')`, base64('ñ')],
    [`base64Decode('${base64('hello')}')`, 'hello'],
    [`from_base64('${base64('ñ')}')`, 'ñ'],
    [`tryBase64Decode('${base64('hi')}')`, 'hi'],
    [`hex('ñ')`, Buffer.from('ñ').toString('hex').toUpperCase()],
    [`unhex('${Buffer.from('ñ!').toString('hex')}')`, 'ñ!'],
    [`endsWith('hello', 'he')`, 0],
    [`positionUTF8('añb', 'z')`, 0],
    [`positionCaseInsensitive('abc', 'Z')`, 0],
    [`positionCaseInsensitiveUTF8('ñÑ', 'Ñ')`, 1],
    [`locate('z', 'hello')`, 0],
    [`countSubstringsCaseInsensitive('AAaa', 'aa')`, 2],
    [`translate('hello', 'el', 'ip')`, 'hippo'],
    [`levenshteinDistance('flaw', 'lawn')`, 2],
    [`editDistance('', 'abc')`, 3],
    [`damerauLevenshteinDistance('abcd', 'acbd')`, 1],
    [`jaroSimilarity('abc', 'abc')`, 1],
    [`jaroWinklerSimilarity('abc', 'xyz')`, 0],
    [`normalizeUTF8NFC('n\u0303')`, 'n\u0303'.normalize('NFC')],
    [`splitByChar('-', 'a')`, 'a'.split('-')],
    [`splitByRegexp(',+', 'a,,b')`, 'a,,b'.split(/,+/)],
    [`splitByWhitespace('a')`, ['a']],
    [`splitByNonAlpha('one-two')`, ['one', 'two']],
    [`alphaTokens('7up')`, ['up']],
  ],
};

const searches: GoldenTable = {
  title: 'searches in texts, again',
  rows: [
    [`notLike('hello', 'h%')`, 0],
    [`ilike('HELLO', '%ll%')`, 1],
    [`notILike('abc', 'X%')`, 1],
    [`extractGroups('a1', '([a-z])([0-9])')`, ['a', '1']],
    [`countMatches('a1b22', '[0-9]+')`, 'a1b22'.match(/\d+/g)!.length],
    [`countMatchesCaseInsensitive('aAbB', 'A')`, 'aAbB'.match(/A/gi)!.length],
    [`replace('abc', 'x', 'y')`, 'abc'],
    [`replaceAll('aXa', 'a', '')`, 'aXa'.replaceAll('a', '')],
    [`replaceRegexpOne('abc', '[b-c]', '-')`, 'abc'.replace(/[b-c]/, '-')],
    [`regexpQuoteMeta('(a+b)')`, '\\(a\\+b\\)'],
    [`multiSearchFirstIndex('hello', ['x'])`, 0],
    [`multiSearchAllPositions('banana', ['an', 'na'])`, ['an', 'na'].map((one) => 'banana'.indexOf(one) + 1)],
    [`multiSearchAnyCaseInsensitive('hello', ['X'])`, 0],
    [`multiSearchFirstIndexCaseInsensitive('Hello', ['LL', 'H'])`, 1],
    [`multiSearchFirstPositionCaseInsensitive('Hello', ['O', 'L'])`, 3],
    [`multiSearchAllPositionsCaseInsensitive('aBc', ['B', 'z'])`, [2, 0]],
    [`multiMatchAny('abc', ['^x'])`, 0],
    [`multiMatchAnyIndex('abc', ['^x'])`, 0],
  ],
};

const ADDRESS = 'http://example.org/p/q?a=b#x';
const { protocol, pathname, search, hash } = new URL(ADDRESS);

const urls: GoldenTable = {
  title: 'addresses, again',
  rows: [
    [`protocol('${ADDRESS}')`, protocol.slice(0, -1)],
    [`domainWithoutWWW('https://www.example.com/')`, 'example.com'],
    [`cutToFirstSignificantSubdomain('https://news.example.com/')`, 'example.com'],
    [`pathFull('${ADDRESS}')`, pathname + search + hash],
    [`queryString('${ADDRESS}')`, search.slice(1)],
    [`fragment('${ADDRESS}')`, hash.slice(1)],
    [`queryStringAndFragment('${ADDRESS}')`, search.slice(1) + hash],
    [`extractURLParameters('${ADDRESS}')`, ['a=b']],
    [`extractURLParameterNames('${ADDRESS}')`, ['a']],
    [`cutWWW('${ADDRESS}')`, ADDRESS],
    [`cutQueryString('${ADDRESS}')`, ADDRESS.replace(search, '')],
    [`cutFragment('${ADDRESS}')`, ADDRESS.replace(hash, '')],
    [`cutQueryStringAndFragment('${ADDRESS}')`, ADDRESS.replace(search + hash, '')],
    [`encodeURLComponent('ä/?')`, encodeURIComponent('ä/?')],
    [`decodeURLComponent('%C3%A4%2F')`, decodeURIComponent('%C3%A4%2F')],
    [`decodeURLFormComponent('%C3%A4+b')`, 'ä b'],
  ],
};

const hashes: GoldenTable = {
  title: 'hashes, again',
  rows: ['MD5', 'SHA1', 'SHA256'].map((name): [string, Expected] => [
    `${name}('burrow ñ')`,
    createHash(name.toLowerCase()).update('burrow ñ').digest('hex').toUpperCase(),
  ]),
};

export const textTables: readonly GoldenTable[] = [strings, searches, urls, hashes];
