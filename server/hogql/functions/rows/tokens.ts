import { arrayOf, scalar, withNull } from '../../value-type.ts';
import { alsoNamed, rowsOf, typed, encoding } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { joinedTexts, MOST_ITEMS_OF_ROWS, MOST_JOINED, onceEach, unlessTooLarge } from '../growth.ts';
import { asText, isNullable, writtenSize, writtenText } from '../read-argument.ts';

const STRING = scalar('String');
const TEXTS = arrayOf(STRING);
const BOOL = scalar('Bool');
const texts = rowsOf(asText);

/** The characters of a token: letters and digits, and everything beyond ASCII. */
const TOKEN = '[0-9A-Za-z\\x{80}-\\x{10FFFF}]+';

function tokensOf(text: string): string {
  return `regexp_extract_all(${text}, '${TOKEN}')`;
}

export function plain(text: string): string {
  return text;
}

export function caseless(text: string): string {
  return `lower(${text})`;
}

/** Whether a text has a token; -OrNull gives NULL for what cannot be one. */
function holdsToken(name: string, read: (text: string) => string, isOrNull: boolean): FunctionRow {
  return texts(name, 2, withNull(BOOL, isOrNull), (text, token) => {
    const holds = `list_contains(${tokensOf(read(text))}, ${read(token)})`;
    return isOrNull ? `(CASE WHEN regexp_full_match(${token}, '${TOKEN}') THEN ${holds} END)` : holds;
  });
}

/** The tokens to look for: those of an array, or of a text. */
function wanted(args: readonly Printed[], call: CallContext): string {
  const { type, sql } = args[1]!;
  return type.name === 'Array' ? sql : tokensOf(asText(args[1]!, call, 1).sql);
}

function holdsTokens(name: string, duckdb: string): FunctionRow {
  return typed(name, 2, (args, call) => ({
    sql: `${duckdb}(${tokensOf(asText(args[0]!, call, 0).sql)}, ${wanted(args, call)})`,
    type: withNull(BOOL, isNullable(args)),
  }));
}

/** Whether a text contains the letters of another in their order, perhaps with others between them. */
function holdsLetters(name: string, read: (text: string) => string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const [text, letters] = args.map((one, at) => read(asText(one, call, at).sql));
    const sql = onceEach([text!, letters!], call, (x, part) => {
      const [rest, letter] = [call.fresh(), call.fresh()];
      const behind = `CASE instr(${rest}, ${letter}) WHEN 0 THEN NULL ELSE substring(${rest}, instr(${rest}, ${letter}) + 1) END`;
      const found = `list_reduce(list_filter(string_split(${part!}, ''), lambda ${letter}: ${letter} <> ''), lambda ${rest}, ${letter}: ${behind}, ${x!})`;
      const isThere = unlessTooLarge(`length(${part!}) > ${MOST_ITEMS_OF_ROWS}`, `(${found} IS NOT NULL)`);
      return `(CASE WHEN ${x!} IS NULL OR ${part!} IS NULL THEN NULL ELSE ${isThere} END)`;
    });
    return { sql, type: withNull(BOOL, isNullable(args)) };
  });
}

/** SQL for all parts of a text that are so many letters long, one letter further each. */
export function ngramsOf(text: string, size: number, call: CallContext): string {
  const at = call.fresh();
  const all = `list_transform(range(1, length(${text}) - ${size - 2}), lambda ${at}: substring(${text}, ${at}, ${size}))`;
  const isLarge = `length(${text}) > ${MOST_ITEMS_OF_ROWS} OR strlen(${text}) * ${size} > ${MOST_JOINED}`;
  return unlessTooLarge(isLarge, all);
}

/** `ngrams(text, n)` */
function ngrams(args: readonly Printed[], call: CallContext): Printed {
  const size = writtenSize(args, 1, call, 'The length');
  const sql = onceEach([asText(args[0]!, call, 0).sql], call, (x) => ngramsOf(x!, size, call));
  return { sql, type: withNull(TEXTS, args[0]!.type.nullable) };
}

/** Pieces of a format: texts, and places of arguments from 0. Doubled braces are literal. */
function pieces(format: string, call: CallContext): (string | number)[] {
  let next = 0;
  const found = Array.from(format.matchAll(/\{\{|\}\}|\{(\d{0,4})\}|[^{}]+|[{}]/g), ([all, place]) => {
    if (all === '{{' || all === '}}') return all[0]!;
    if (all === '{' || all === '}') return call.refuse('Unbalanced brace in the format.', 0);
    if (place === undefined) return all;
    return place === '' ? next++ : Number(place);
  });
  const isMixed = next > 0 && /\{\d/.test(format.replaceAll('{{', ''));
  return isMixed ? call.refuse('Use either numbered or unnumbered placeholders in the format.', 0) : found;
}

/** `format('{} of {}', a, b)`, `format('{1} {0}', a, b)` */
function formatted(args: readonly Printed[], call: CallContext): Printed {
  const parts = pieces(writtenText(args, 0, call, 'The format'), call).map((piece) => {
    if (typeof piece === 'string') return { ...call.bind(piece), constant: piece };
    const value = args[piece + 1] ?? call.refuse(`The format requires ${piece + 1} values.`, 0);
    return asText(value, call, piece + 1);
  });
  const empty = { ...call.bind(''), constant: '' };
  return { sql: joinedTexts([empty, ...parts], call), type: withNull(STRING, isNullable(args)) };
}

/** Letters that mean something in XML, as ClickHouse writes them. */
const XML = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  [`''`, '&apos;'],
  ['"', '&quot;'],
] as const;

/** `decodeXMLComponent(text)`: names and numbers of letters (`&lt;`, `&#33;`, `&#x21;`) as the letters that they mean. */
function decodeXml(x: string): string {
  const entity = '&#[0-9]{1,7};|&#[xX][0-9a-fA-F]{1,6};|&(?:amp|lt|gt|apos|quot);';
  const pieces = `regexp_extract_all(${x}, '${entity}|[^&]+|&')`;
  const names = XML.map(([letter, name]) => `WHEN '${name}' THEN '${letter}'`).join(' ');
  const digits = (from: number): string => `substring(piece, ${from}, length(piece) - ${from})`;
  const letter = [
    `WHEN starts_with(lower(piece), '&#x') AND ends_with(piece, ';') THEN coalesce(try(chr(CAST('0x' || ${digits(4)} AS INTEGER))), piece)`,
    `WHEN starts_with(piece, '&#') AND ends_with(piece, ';') THEN coalesce(try(chr(CAST(${digits(3)} AS INTEGER))), piece)`,
  ].join(' ');
  const decoded = `CASE ${letter} ELSE CASE piece ${names} ELSE piece END END`;
  return `array_to_string(list_transform(${pieces}, lambda piece: ${decoded}), '')`;
}

/** What a page shows: without comments, scripts, styles and tags, and with one space where there were several. */
function textOfHtml(x: string): string {
  const removed = String.raw`(?is)<!--.*?-->|<script\b.*?</script\s*>|<style\b.*?</style\s*>`;
  const kept = `regexp_replace(${x}, '(?is)<!\\[CDATA\\[(.*?)\\]\\]>', '\\1', 'g')`;
  const tagless = `regexp_replace(regexp_replace(${kept}, '${removed}', '', 'g'), '<[^>]*>', ' ', 'g')`;
  return `trim(regexp_replace(${tagless}, '\\s+', ' ', 'g'))`;
}

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';

/** Texts word by word and letter by letter. */
export const tokens: readonly FunctionRow[] = [
  texts('tokens', 1, TEXTS, tokensOf),
  holdsToken('hasToken', plain, false),
  holdsToken('hasTokenCaseInsensitive', caseless, false),
  holdsToken('hasTokenOrNull', plain, true),
  holdsToken('hasTokenCaseInsensitiveOrNull', caseless, true),
  holdsTokens('hasAllTokens', 'list_has_all'),
  holdsTokens('hasAnyTokens', 'list_has_any'),
  ...alsoNamed(holdsLetters('hasSubsequence', plain), 'hasSubsequenceUTF8'),
  ...alsoNamed(holdsLetters('hasSubsequenceCaseInsensitive', caseless), 'hasSubsequenceCaseInsensitiveUTF8'),
  typed('ngrams', 2, ngrams),
  typed('format', [2, Infinity], formatted),
  texts('decodeXMLComponent', 1, STRING, decodeXml),
  texts('extractTextFromHTML', 1, STRING, textOfHtml),
  texts('extractIPv4Substrings', 1, TEXTS, (x) => {
    return `regexp_extract_all(${x}, '\\b(?:${OCTET}\\.){3}${OCTET}\\b')`;
  }),
  // Texts of DuckDB are always UTF-8.
  texts('isValidUTF8', 1, BOOL, (x) => `(${x} IS NOT NULL)`),
  texts('toValidUTF8', 1, STRING, plain),
  encoding('encodeXMLComponent', (x) =>
    XML.reduce((sql, [letter, name]) => `replace(${sql}, '${letter}', '${name}')`, x),
  ),
];
