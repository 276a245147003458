import { arrayOf, scalar, withNull } from '../../value-type.ts';
import { alsoNamed, rowsOf, typed, encoding } from '../define-row.ts';
import {
  joinedLists,
  joinedTexts,
  LIMIT_MARK,
  limitOf,
  MOST_GROWN,
  MOST_JOINED,
  onceEach,
  unlessTooLarge,
} from '../growth.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText, asWhole, isNullable } from '../read-argument.ts';
import { boundedPieces, placesOf } from '../value-size.ts';
import { byBytes, bytePlaceSql, bytesSql, lowerSql, reverseSql, upperSql } from '../byte-text.ts';
import { unify } from '../common-type.ts';

/** Bytes of one text times those of another that it is compared with, letter by letter: some 2 ms. */
const MOST_COMPARED = 1_000_000;

const STRING = scalar('String');
const INT = scalar('UInt64');
const BOOL = scalar('Bool');
const texts = rowsOf(asText);

/** Letters to which a text is filled up, each of up to four bytes. */
const MOST_LETTERS = 10_000;

/** The number of items, keys, or bytes of a text. */
function length([value]: readonly Printed[], call: CallContext): Printed {
  const type = withNull(INT, value!.type.nullable);
  if (value!.type.name === 'Array') return { sql: `len(${value!.sql})`, type };
  if (value!.type.name === 'Map') return { sql: `CAST(cardinality(${value!.sql}) AS BIGINT)`, type };
  const text = asText(value!, call, 0);
  if (text.type.name === 'String' && text.type.isHex) return { sql: `(strlen(${text.sql}) // 2)`, type };
  return { sql: `strlen(${text.sql})`, type };
}

/**
 * Bytes, or letters, from a place that counts from 1, or backwards from the end; there is no place 0. A count below 0 leaves
 * out so many at the end.
 */
function substring(name: string, isOfLetters: boolean): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const text = asText(args[0]!, call, 0);
    const from = asWhole(args[1]!, call, 1);
    const count = args[2] === undefined ? undefined : asWhole(args[2], call, 2);
    const type = withNull(STRING, isNullable(args));
    const isPlain = isFromStart(args[1]!) && (args[2] === undefined || isFromStart(args[2], 0));
    if (isPlain) {
      const letters = `substring(${text.sql}, ${[from, count].flatMap((one) => one?.sql ?? []).join(', ')})`;
      if (isOfLetters) return { sql: letters, type };
      const sql = once(text.sql, call, (x) => {
        const part = `substring(${x}, ${[from, count].flatMap((one) => one?.sql ?? []).join(', ')})`;
        return byBytes(x, part, bytesSql(x, from.sql, count?.sql ?? `strlen(${x})`, call));
      });
      return { sql, type };
    }
    const sql = onceEach([text.sql, from.sql, count?.sql ?? 'NULL'], call, (x, start, size) => {
      const part = (length: string, cut: (first: string, many: string) => string): string => {
        const place = `(CASE WHEN ${start!} > 0 THEN ${start!} ELSE ${length} + ${start!} + 1 END)`;
        // Of letters those before the first one are not counted.
        const first = isOfLetters ? `greatest(${place}, 1)` : place;
        const last =
          count === undefined
            ? length
            : `(CASE WHEN ${size!} < 0 THEN ${length} + ${size!} ELSE least(${first} + ${size!} - 1, ${length}) END)`;
        const begin = `greatest(${first}, 1)`;
        return `(CASE WHEN ${start!} = 0 THEN '' ELSE ${cut(begin, `greatest(${last} - ${begin} + 1, 0)`)} END)`;
      };
      const letters = part(`length(${x!})`, (first, many) => `substring(${x!}, ${first}, ${many})`);
      if (isOfLetters) return letters;
      return byBytes(
        x!,
        letters,
        part(`strlen(${x!})`, (first, many) => bytesSql(x!, first, many, call)),
      );
    });
    return { sql, type };
  });
}

/** Whether a number is written out, and at least so large. */
function isFromStart({ constant }: Printed, least = 1): boolean {
  return typeof constant === 'number' && constant >= least;
}

/** The place of a part in a text, in bytes or letters from 1; 0 when it is not there. */
function position(
  name: string,
  isOfLetters: boolean,
  read: (text: string) => string,
  isTurned = false,
): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const given = args.slice(0, 2).map((one, at) => asText(one, call, at).sql);
    const texts = isTurned ? given.toReversed() : given;
    const type = withNull(INT, isNullable(args));
    const from = args[2] === undefined ? null : asWhole(args[2], call, 2).sql;
    const sql = onceEach(from === null ? texts : [...texts, from], call, (text, part, start) => {
      const place =
        start === undefined
          ? `instr(${read(text!)}, ${read(part!)})`
          : once(`instr(substring(${read(text!)}, greatest(${start}, 1)), ${read(part!)})`, call, (found) => {
              return `(CASE ${found} WHEN 0 THEN 0 ELSE ${found} + greatest(${start}, 1) - 1 END)`;
            });
      if (isOfLetters) return place;
      return byBytes(
        text!,
        place,
        once(place, call, (found) => bytePlaceSql(text!, found)),
      );
    });
    return { sql, type };
  });
}

function caseless(text: string): string {
  return `lower(${text})`;
}

/** Filled up, or cut, to so many bytes, or letters. */
function padding(name: string, duckdb: 'lpad' | 'rpad', isOfLetters = false): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const text = asText(args[0]!, call, 0);
    const filling = args[2] === undefined ? `' '` : asText(args[2], call, 2).sql;
    const sql = onceEach([asWhole(args[1]!, call, 1).sql], call, (size) =>
      unlessTooLarge(
        `${size!} > ${MOST_LETTERS}`,
        `${duckdb}(${text.sql}, CAST(greatest(${size!}${isOfLetters ? '' : ` - strlen(${text.sql}) + length(${text.sql})`}, 0) AS INTEGER), ${filling})`,
        limitOf(call, MOST_LETTERS, 'characters'),
      ),
    );
    return { sql, type: withNull(STRING, isNullable(args)) };
  });
}

/** Without spaces, or other letters that are named, at its ends. */
function trimming(name: string, duckdb: 'trim' | 'ltrim' | 'rtrim'): FunctionRow {
  return typed(name, [1, 2], (args, call) => {
    const [text, letters] = args.map((one, at) => asText(one, call, at).sql);
    return { sql: `${duckdb}(${text!}, ${letters ?? `' '`})`, type: withNull(STRING, isNullable(args)) };
  });
}

/** Texts one after the other; as HogQL has it, NULL is as good as an empty one. */
function concat(args: readonly Printed[], call: CallContext): Printed {
  if (args.every(({ type }) => type.name === 'Array')) {
    const { sql, type } = unify(args, call);
    return { sql: joinedLists(sql, call), type };
  }
  const values = args.map((one, at) => {
    const text = asText(one, call, at);
    return text.type.nullable ? { ...text, sql: `coalesce(${text.sql}, '')` } : text;
  });
  return { sql: joinedTexts(values, call), type: STRING };
}

/** The first or last letters. */
function edge(name: string, duckdb: 'left' | 'right'): FunctionRow {
  return typed(name, 2, (args, call) => {
    const text = asText(args[0]!, call, 0).sql;
    return {
      sql: `${duckdb}(${text}, ${asWhole(args[1]!, call, 1).sql})`,
      type: withNull(STRING, isNullable(args)),
    };
  });
}

/** The bytes of a text, or of a number as the engine of ClickHouse stores it, in hexadecimal digits. */
function hex([value]: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = value!;
  const text = withNull(STRING, type.nullable);
  switch (type.name) {
    case 'Int64':
    case 'UInt64':
    case 'Bool': {
      if (typeof value!.constant === 'number' && value!.constant < 0)
        return { sql: `'${hexOfNegative(value!.constant)}'`, type: text };
      const digits = once(`hex(${asWhole(value!, call, 0).sql})`, call, (x) => {
        return `(CASE WHEN length(${x}) % 2 = 0 THEN ${x} ELSE '0' || ${x} END)`;
      });
      return { sql: digits, type: text };
    }
    case 'Date':
      return hex(
        [{ sql: `date_diff('day', DATE '1970-01-01', ${sql})`, type: scalar('Int64', type.nullable) }],
        call,
      );
    case 'UUID':
      return { sql: `upper(replace(CAST(${sql} AS VARCHAR), '-', ''))`, type: text };
    case 'String':
      if (type.isHex === true) return { sql, type: text };
      break;
    default:
  }
  const shown = asText(value!, call, 0).sql;
  const bounded = onceEach([shown], call, (x) =>
    unlessTooLarge(`strlen(${x!}) > ${MOST_GROWN}`, `hex(encode(${x!}))`),
  );
  return { sql: bounded, type: text };
}

/** A negative number in as many bytes as its type in ClickHouse has: the smallest that holds it. */
function hexOfNegative(number: number): string {
  const bits = [8, 16, 32, 64].find((size) => BigInt(number) >= -(2n ** BigInt(size - 1)))!;
  return BigInt.asUintN(bits, BigInt(number)).toString(16).toUpperCase();
}

const TEXTS = arrayOf(STRING);

/** How often a text contains a part, without overlap. */
function occurrences(text: string, part: string): string {
  return `((length(${text}) - length(replace(${text}, ${part}, ''))) // greatest(length(${part}), 1))`;
}

/** From a place that counts from 1, if one is named. */
function counting(name: string, read: (text: string) => string): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const [text, part] = args.slice(0, 2).map((one, at) => read(asText(one, call, at).sql));
    const searched =
      args[2] === undefined ? text! : `substring(${text!}, greatest(${asWhole(args[2], call, 2).sql}, 1))`;
    return { sql: occurrences(searched, part!), type: withNull(INT, isNullable(args)) };
  });
}

/** How far two texts are apart: takes time, and some of them memory, by the product of their lengths. */
function distance(name: string, type: Printed['type'], duckdb: string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const texts = args.map((one, at) => asText(one, call, at).sql);
    const sql = onceEach(texts, call, (a, b) =>
      unlessTooLarge(
        `strlen(${a!}) * strlen(${b!}) > ${MOST_COMPARED}`,
        `${duckdb}(${a!}, ${b!})`,
        `${LIMIT_MARK}The strings of "${name}" are too large: the product of their bytes is limited to ${MOST_COMPARED}.`,
      ),
    );
    return { sql, type: withNull(type, isNullable(args)) };
  });
}

const plain: readonly FunctionRow[] = [
  typed('length', 1, length),
  ...alsoNamed(
    texts('lengthUTF8', 1, INT, (x) => `length(${x})`),
    'char_length',
    'character_length',
  ),
  texts('octet_length', 1, INT, (x) => `strlen(${x})`),
  ...alsoNamed(texts('lower', 1, STRING, lowerSql), 'lcase'),
  texts('lowerUTF8', 1, STRING, caseless),
  ...alsoNamed(texts('upper', 1, STRING, upperSql), 'ucase'),
  texts('upperUTF8', 1, STRING, (x) => `upper(${x})`),
  texts('initcap', 1, STRING, (x) => {
    const words = `regexp_extract_all(lower(${x}), '[0-9A-Za-z\\x{80}-\\x{10FFFF}]+|[^0-9A-Za-z\\x{80}-\\x{10FFFF}]+')`;
    return `array_to_string(list_transform(${words}, lambda w: upper(left(w, 1)) || substring(w, 2)), '')`;
  }),
  typed('reverse', 1, (args, call) => {
    const [value] = args;
    if (value!.type.name === 'Array') return { sql: `list_reverse(${value!.sql})`, type: value!.type };
    const text = asText(value!, call, 0);
    return { sql: once(text.sql, call, reverseSql), type: text.type };
  }),
  texts('reverseUTF8', 1, STRING, (x) => `reverse(${x})`),
  ...alsoNamed(typed('concat', [1, Infinity], concat), 'concatAssumeInjective'),
  typed('concatWithSeparator', [2, Infinity], (args, call) => {
    const [separator, ...parts] = args.map((one, at) => asText(one, call, at));
    const all = parts.flatMap((part, at) => (at === 0 ? [part] : [separator!, part]));
    return { sql: joinedTexts(all, call), type: withNull(STRING, isNullable(args)) };
  }),
  ...alsoNamed(substring('substring', false), 'substr', 'mid'),
  substring('substringUTF8', true),
  edge('left', 'left'),
  edge('right', 'right'),
  ...alsoNamed(padding('leftPad', 'lpad'), 'lpad'),
  ...alsoNamed(padding('rightPad', 'rpad'), 'rpad'),
  padding('leftPadUTF8', 'lpad', true),
  padding('rightPadUTF8', 'rpad', true),
  ...alsoNamed(trimming('trim', 'trim'), 'trimBoth', 'btrim'),
  ...alsoNamed(trimming('trimLeft', 'ltrim'), 'ltrim'),
  ...alsoNamed(trimming('trimRight', 'rtrim'), 'rtrim'),
  typed('repeat', 2, (args, call) => {
    const times = `greatest(${asWhole(args[1]!, call, 1).sql}, 0)`;
    const sql = onceEach([asText(args[0]!, call, 0).sql, times], call, (text, count) =>
      unlessTooLarge(
        // Doubles, since the product may be no whole number of the engine's; an empty text is not repeated either.
        `greatest(strlen(${text}), 1)::DOUBLE * ${count} > greatest(strlen(${text}), ${MOST_GROWN})`,
        `repeat(${text}, ${count})`,
        limitOf(call, MOST_GROWN, 'bytes'),
      ),
    );
    return { sql, type: withNull(STRING, isNullable(args)) };
  }),
  typed('space', 1, (args, call) => {
    const sql = onceEach([asWhole(args[0]!, call, 0).sql], call, (count) =>
      unlessTooLarge(
        `${count!} > ${MOST_GROWN}`,
        `repeat(' ', greatest(${count!}, 0))`,
        limitOf(call, MOST_GROWN, 'characters'),
      ),
    );
    return { sql, type: withNull(STRING, isNullable(args)) };
  }),
  texts('appendTrailingCharIfAbsent', 2, STRING, (x, last) => {
    return `(CASE WHEN ${x} = '' OR ends_with(${x}, ${last}) THEN ${x} ELSE ${x} || ${last} END)`;
  }),
  ...alsoNamed(
    encoding('base64Encode', (x) => `to_base64(encode(${x}))`),
    'to_base64',
  ),
  ...alsoNamed(
    texts('base64Decode', 1, withNull(STRING), (x) => `try(decode(from_base64(${x})))`),
    'from_base64',
  ),
  texts('tryBase64Decode', 1, STRING, (x) => `coalesce(try(decode(from_base64(${x}))), '')`),
  typed('hex', 1, hex),
  texts('unhex', 1, withNull(STRING), (x) => `try(decode(unhex(${x})))`),
  texts('ascii', 1, scalar('Int64'), (x) => {
    return `(CASE ${x} WHEN '' THEN 0 ELSE CAST('0x' || left(hex(encode(left(${x}, 1))), 2) AS BIGINT) END)`;
  }),
  texts('startsWith', 2, BOOL, (x, start) => `starts_with(${x}, ${start})`),
  texts('endsWith', 2, BOOL, (x, end) => `ends_with(${x}, ${end})`),
  position('position', false, (text) => text),
  position('locate', false, (text) => text, true),
  position('positionUTF8', true, (text) => text),
  position('positionCaseInsensitive', false, caseless),
  position('positionCaseInsensitiveUTF8', true, caseless),
  counting('countSubstrings', (text) => text),
  ...alsoNamed(counting('countSubstringsCaseInsensitive', caseless), 'countSubstringsCaseInsensitiveUTF8'),
  ...alsoNamed(
    texts('translate', 3, STRING, (x, from, to) => `translate(${x}, ${from}, ${to})`),
    'translateUTF8',
  ),
  ...alsoNamed(distance('levenshteinDistance', INT, 'levenshtein'), 'editDistance'),
  distance('damerauLevenshteinDistance', INT, 'damerau_levenshtein'),
  distance('jaroSimilarity', scalar('Float64'), 'jaro_similarity'),
  distance('jaroWinklerSimilarity', scalar('Float64'), 'jaro_winkler_similarity'),
  texts('normalizeUTF8NFC', 1, STRING, (x) => `nfc_normalize(${x})`),
];

/** A list as one text; DuckDB joins by a constant alone, so that what each row has its own of is put before each item. */
function joinedBy(separator: string, list: string, call: CallContext): string {
  const item = call.fresh();
  const joined = `array_to_string(list_transform(${list}, lambda ${item}: ${separator} || ${item}), '')`;
  return `substring(${joined}, length(${separator}) + 1)`;
}

/** The parts of a text; so many of the first, where a third argument says more than 0 (`splitByChar(',', text, 2)`). */
export function splitting(
  name: string,
  split: (args: readonly Printed[], call: CallContext) => string,
  least: number,
): FunctionRow {
  return typed(name, [least, least + 1], (args, call) => {
    const all = split(args.slice(0, least), call);
    const type = withNull(TEXTS, isNullable(args));
    if (args[least] === undefined) return { sql: all, type };
    const most = asWhole(args[least], call, least).sql;
    const sql = once(
      all,
      call,
      (list) =>
        `(CASE WHEN ${most} > 0 THEN list_slice(${list}, 1, ${most}) WHEN ${most} <= 0 THEN ${list} END)`,
    );
    return { sql, type };
  });
}

function separated(args: readonly Printed[], call: CallContext): string {
  const texts = args.map((one, at) => asText(one, call, at).sql);
  return onceEach(texts, call, (separator, text) => {
    const places = `(CASE ${separator!} WHEN '' THEN length(${text!}) ELSE ${occurrences(text!, separator!)} END)`;
    return boundedPieces(text!, places, `string_split(${text!}, ${separator!})`, call);
  });
}

/** All that a pattern finds. */
function finding(name: string, pattern: string): FunctionRow {
  return splitting(
    name,
    (args, call) =>
      once(asText(args[0]!, call, 0).sql, call, (text) => {
        const found = `regexp_extract_all(${text}, '${pattern}')`;
        return boundedPieces(text, placesOf(text, `'${pattern}'`), found, call);
      }),
    1,
  );
}

const splits: readonly FunctionRow[] = [
  splitting('splitByChar', separated, 2),
  splitting('splitByString', separated, 2),
  finding('splitByWhitespace', '[^\\s]+'),
  finding('splitByNonAlpha', '[^\\s[:punct:]]+'),
  finding('alphaTokens', '[A-Za-z]+'),
  typed('arrayStringConcat', [1, 2], (args, call) => {
    const [array, separator] = args;
    if (array!.type.name !== 'Array') return call.refuse('Expected an array.', 0);
    const between = separator === undefined ? `''` : asText(separator, call, 1).sql;
    const type = withNull(STRING, isNullable(args));
    const { item } = array!.type;
    const name = call.fresh();
    const shown = asText({ sql: name, type: item }, call).sql;
    const items =
      item.name === 'String' ? array!.sql : `list_transform(${array!.sql}, lambda ${name}: ${shown})`;
    const sql = onceEach([items, between], call, (list, separated) => {
      const one = call.fresh();
      const letters = `list_sum(list_transform(${list!}, lambda ${one}: strlen(${one})))`;
      return unlessTooLarge(
        `${letters} + len(${list!}) * strlen(${separated!}) > ${MOST_JOINED}`,
        separator === undefined || separator.constant !== undefined
          ? `array_to_string(${list!}, ${between})`
          : joinedBy(separated!, list!, call),
        limitOf(call, MOST_JOINED, 'bytes'),
      );
    });
    return { sql, type };
  }),
];

export const strings: readonly FunctionRow[] = [...plain, ...splits];
