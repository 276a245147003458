import { RE2JS } from 're2js';
import { arrayOf, duckdbType, scalar, withNull } from '../../value-type.ts';
import { alsoNamed, rowsOf, typed, encoding } from '../define-row.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, replacedTexts } from '../growth.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { likeSql } from '../like.ts';
import { once } from '../local-time.ts';
import { asText, isNullable, writtenText } from '../read-argument.ts';
import { matchesSql } from '../text-sql.ts';
import { boundedPieces, placesOf } from '../value-size.ts';
import { bytePlaceSql } from '../byte-text.ts';
import { splitting } from './strings.ts';

const STRING = scalar('String');
const INT = scalar('UInt64');
const BOOL = scalar('Bool');
const texts = rowsOf(asText);

/** Three numbers without zeros before them. */
const SEMVER = Array.from({ length: 3 }, () => '(?:0|[1-9][0-9]*)').join('[.]');

/** Compiling takes time by length; no user writes longer ones. */
const MOST_PATTERN = 10_000;
/** All counts in braces together: what is repeated so often is compiled so often. */
const MOST_REPETITIONS = 1_000;

function repetitions(pattern: string): number {
  return Array.from(pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)).reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  );
}

/** A pattern of RE2 that is a constant; refuses an invalid one. */
function pattern(args: readonly Printed[], at: number, call: CallContext): RE2JS {
  const text = writtenText(args, at, call, 'The pattern');
  if (text.length > MOST_PATTERN || repetitions(text) > MOST_REPETITIONS) {
    return call.refuse(
      `A regular expression can have up to ${MOST_PATTERN} characters and ${MOST_REPETITIONS} repetitions.`,
      at,
    );
  }
  call.spend(text.length);
  try {
    return RE2JS.compile(text);
  } catch {
    return call.refuse('This is not a regular expression of RE2.', at);
  }
}

/** A row whose argument at that place is a pattern, which stays as it was printed. */
function matching(
  name: string,
  type: Printed['type'],
  sql: (text: string, pattern: string, groups: number, call: CallContext) => string,
): FunctionRow {
  return typed(name, 2, (args, call) => {
    const groups = pattern(args, 1, call).groupCount();
    if (args[1]!.constant === '' && type.name === 'UInt64') return { sql: 'CAST(0 AS BIGINT)', type };
    return {
      sql: sql(asText(args[0]!, call, 0).sql, args[1]!.sql, groups, call),
      type: withNull(type, args[0]!.type.nullable),
    };
  });
}

/** How often a pattern is found. In a long text it is not done by a list of what is found, which takes much room. */
function foundPlaces(text: string, regex: string, call: CallContext): string {
  return once(text, call, (x) => {
    const counted = `len(regexp_extract_all(${x}, ${regex}, 0, 's'))`;
    return `(CASE WHEN strlen(${x}) > ${MOST_ITEMS_OF_ROWS} THEN ${placesOf(x, regex)} ELSE ${counted} END)`;
  });
}

/** Lists of what each group of a pattern matches, one match after the other. */
function allGroups(name: string, sql: (groups: readonly string[], call: CallContext) => string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const count = pattern(args, 1, call).groupCount();
    if (count === 0) return call.refuse('The pattern has no groups.', 1);
    const text = asText(args[0]!, call, 0);
    const made = onceEach([text.sql], call, (x) => {
      const groups = Array.from(
        { length: count },
        (_, at) => `regexp_extract_all(${x!}, ${args[1]!.sql}, ${at + 1}, 's')`,
      );
      const all = boundedPieces(x!, placesOf(x!, args[1]!.sql), sql(groups, call), call);
      return `(CASE WHEN ${x!} IS NOT NULL THEN ${all} END)`;
    });
    return { sql: made, type: arrayOf(arrayOf(STRING), text.type.nullable) };
  });
}

/** ClickHouse's replacement is RE2's: \1 to \9 are groups, \0 is all. */
function replacingPattern(name: string, options: string): FunctionRow {
  return typed(name, 3, (args, call) => {
    pattern(args, 1, call);
    const [text, , replacement] = args.map((one, at) => asText(one, call, at));
    if (args[1]!.constant === '') return text!;
    const copies = copiesIn(replacement!.constant);
    const sql = onceEach([text!.sql, replacement!.sql], call, (x, to) => {
      const replaced = `regexp_replace(${x!}, ${args[1]!.sql}, ${to!}, '${options}')`;
      const without = `regexp_replace(${x!}, ${args[1]!.sql}, '', '${options}')`;
      const places = options === 's' ? '1' : `len(regexp_extract_all(${x!}, ${args[1]!.sql}, 0, 's'))`;
      return replacement!.constant === ''
        ? replaced
        : replacedTexts({ text: x!, remainder: without, places, added: `strlen(${to!})`, copies }, replaced);
    });
    return { sql, type: withNull(STRING, isNullable(args)) };
  });
}

/** How often a replacement can contain the match. */
function copiesIn(replacement: Printed['constant']): number {
  return typeof replacement === 'string' ? replacement.split('\\').length - 1 : 100;
}

/** Every place of a text in another. */
function replacing(args: readonly Printed[], call: CallContext): Printed {
  const [text, part, replacement] = args.map((one, at) => asText(one, call, at));
  const isShorter =
    typeof part!.constant === 'string' &&
    typeof replacement!.constant === 'string' &&
    Buffer.byteLength(replacement!.constant) <= Buffer.byteLength(part!.constant);
  const type = withNull(STRING, isNullable(args));
  if (isShorter) return { sql: `replace(${text!.sql}, ${part!.sql}, ${replacement!.sql})`, type };
  const sql = onceEach([text!.sql, part!.sql, replacement!.sql], call, (x, from, to) => {
    const remainder = `replace(${x!}, ${from!}, '')`;
    const places = `(strlen(${x!}) - strlen(${remainder})) // greatest(strlen(${from!}), 1)`;
    const replaced = `replace(${x!}, ${from!}, ${to!})`;
    return replacedTexts({ text: x!, remainder, places, added: `strlen(${to!})`, copies: 0 }, replaced);
  });
  return { sql, type };
}

function like(name: string, { isCaseless = false, isNegated = false }): FunctionRow {
  return typed(name, 2, (args, call) => {
    const [text, wanted] = args.map((one, at) => asText(one, call, at));
    const sql = likeSql(text!.sql, wanted!, isCaseless, call);
    return { sql: isNegated ? `(NOT ${sql})` : sql, type: withNull(BOOL, isNullable(args)) };
  });
}

type Search = (text: string, words: string, name: string) => string;

/** `multiSearchAny(text, [words…])` */
function multiple(name: string, type: Printed['type'], isCaseless: boolean, search: Search): FunctionRow {
  return typed(name, 2, (args, call) => {
    if (args[1]!.type.name === 'Nothing')
      return { sql: `CAST(NULL AS ${duckdbType(type)})`, type: withNull(type) };
    if (args[1]!.type.name !== 'Array') return call.refuse('Expected an array.', 1);
    const text = asText(args[0]!, call, 0).sql;
    const word = call.fresh();
    const words = isCaseless
      ? `list_transform(${args[1]!.sql}, lambda ${word}: lower(${word}))`
      : args[1]!.sql;
    const sql = search(isCaseless ? `lower(${text})` : text, words, call.fresh());
    return { sql, type: withNull(type, args[0]!.type.nullable) };
  });
}

const anyWord: Search = (text, words, name) =>
  `(len(list_filter(${words}, lambda ${name}: contains(${text}, ${name}))) > 0)`;
const wordIndex: Search = (text, words, name) =>
  firstTrue(`list_transform(${words}, lambda ${name}: contains(${text}, ${name}))`);

/** The place of a word in a text. */
type Place = (text: string, word: string) => string;
const inLetters: Place = (text, word) => `instr(${text}, ${word})`;
const inBytes: Place = (text, word) => bytePlaceSql(text, `instr(${text}, ${word})`);

function wordPositions(place: Place, text: string, words: string, name: string): string {
  return `list_transform(${words}, lambda ${name}: ${place(text, name)})`;
}

function firstPosition(place: Place, text: string, words: string, name: string): string {
  return `coalesce(list_min(list_filter(${wordPositions(place, text, words, name)}, lambda ${name}: ${name} > 0)), 0)`;
}

const multiples = [false, true].flatMap((isCaseless) => {
  const ending = isCaseless ? 'CaseInsensitive' : '';
  return [
    ...alsoNamed(
      multiple(`multiSearchAny${ending}`, BOOL, isCaseless, anyWord),
      `multiSearchAny${ending}UTF8`,
    ),
    ...alsoNamed(
      multiple(`multiSearchFirstIndex${ending}`, INT, isCaseless, wordIndex),
      `multiSearchFirstIndex${ending}UTF8`,
    ),
    multiple(`multiSearchFirstPosition${ending}`, INT, isCaseless, (text, words, name) =>
      firstPosition(inBytes, text, words, name),
    ),
    multiple(`multiSearchFirstPosition${ending}UTF8`, INT, isCaseless, (text, words, name) =>
      firstPosition(inLetters, text, words, name),
    ),
    multiple(`multiSearchAllPositions${ending}`, arrayOf(INT), isCaseless, (text, words, name) =>
      wordPositions(inBytes, text, words, name),
    ),
    multiple(`multiSearchAllPositions${ending}UTF8`, arrayOf(INT), isCaseless, (text, words, name) =>
      wordPositions(inLetters, text, words, name),
    ),
  ];
});

/** SQL for the places, from 1, at which a list of truths is true. */
export function truePlaces(truths: string): string {
  return `list_filter(list_transform(${truths}, lambda m, i: CASE WHEN m THEN i END), lambda i: i IS NOT NULL)`;
}

/** SQL for the first of these places; 0 where there is none. */
export function firstTrue(truths: string): string {
  return `coalesce(list_position(${truths}, true), 0)`;
}

const multiMatches = [
  multiple('multiMatchAny', BOOL, false, (text, patterns, name) => {
    return `(len(list_filter(${patterns}, lambda ${name}: ${matchesSql(text, name, 's')})) > 0)`;
  }),
  multiple('multiMatchAllIndices', arrayOf(INT), false, (text, patterns, name) => {
    return truePlaces(`list_transform(${patterns}, lambda ${name}: ${matchesSql(text, name, 's')})`);
  }),
  multiple('multiMatchAnyIndex', INT, false, (text, patterns, name) => {
    return firstTrue(`list_transform(${patterns}, lambda ${name}: ${matchesSql(text, name, 's')})`);
  }),
];

/** Patterns are those of RE2: no look-around, no back-references, and time that is linear in the text. */
export const searches: readonly FunctionRow[] = [
  like('like', {}),
  like('notLike', { isNegated: true }),
  like('ilike', { isCaseless: true }),
  like('notILike', { isCaseless: true, isNegated: true }),
  typed('match', 2, (args, call) => {
    if (args[1]!.constant !== undefined) pattern(args, 1, call);
    const [text, regex] = args.map((one, at) => asText(one, call, at).sql);
    return { sql: matchesSql(text!, regex!, 's'), type: withNull(BOOL, isNullable(args)) };
  }),
  // The first group where there is one, else all that matches.
  matching(
    'extract',
    STRING,
    (text, regex, groups) => `regexp_extract(${text}, ${regex}, ${Math.min(groups, 1)}, 's')`,
  ),
  matching('extractAll', arrayOf(STRING), (text, regex, groups, call) =>
    once(text, call, (x) => {
      const found = `regexp_extract_all(${x}, ${regex}, ${Math.min(groups, 1)}, 's')`;
      return boundedPieces(x, placesOf(x, regex), found, call);
    }),
  ),
  matching('extractGroups', arrayOf(STRING), (text, regex, groups) => {
    const parts = Array.from(
      { length: groups },
      (_, at) => `regexp_extract(${text}, ${regex}, ${at + 1}, 's')`,
    );
    return `(CASE WHEN ${matchesSql(text, regex, 's')} THEN [${parts.join(', ')}] ELSE [] END)`;
  }),
  matching('countMatches', INT, (text, regex, _, call) => foundPlaces(text, regex, call)),
  matching('countMatchesCaseInsensitive', INT, (text, regex, _, call) =>
    foundPlaces(text, `('(?i)' || ${regex})`, call),
  ),
  typed('regexpExtract', [2, 3], (args, call) => {
    const groups = pattern(args, 1, call).groupCount();
    const wanted = args[2] === undefined ? Math.min(groups, 1) : args[2].constant;
    if (typeof wanted !== 'number' || wanted < 0 || wanted > groups) {
      return call.refuse(`The pattern has ${groups} groups.`, 2);
    }
    const sql = `regexp_extract(${asText(args[0]!, call, 0).sql}, ${args[1]!.sql}, ${wanted}, 's')`;
    return { sql, type: withNull(STRING, args[0]!.type.nullable) };
  }),
  // PostHog returns a list with NULL in it for an invalid version, which is the largest of all in DuckDB; NULL is
  // not.
  texts('sortableSemVer', 1, arrayOf(scalar('Int64'), true), (x) => {
    const version = `nullif(regexp_extract(${x}, '^\\s*v?(${SEMVER})(?:[-+]\\S*)?\\s*$', 1), '')`;
    return `list_transform(string_split(${version}, '.'), lambda n: try_cast(n AS BIGINT))`;
  }),
  ...['replace', 'replaceAll'].map((name) => typed(name, 3, replacing)),
  texts('replaceOne', 3, STRING, (x, from, to) => {
    const rest = `substring(${x}, instr(${x}, ${from}) + length(${from}))`;
    return `(CASE instr(${x}, ${from}) WHEN 0 THEN ${x} ELSE left(${x}, instr(${x}, ${from}) - 1) || ${to} || ${rest} END)`;
  }),
  replacingPattern('replaceRegexpOne', 's'),
  replacingPattern('replaceRegexpAll', 'gs'),
  encoding('regexpQuoteMeta', (x) => `regexp_escape(${x})`),
  splitting(
    'splitByRegexp',
    (args, call) => {
      pattern(args, 0, call);
      const regex = args[0]!.sql;
      return once(asText(args[1]!, call, 1).sql, call, (text) => {
        const parts = `regexp_split_to_array(${text}, ${regex}, 's')`;
        return boundedPieces(text, placesOf(text, regex), parts, call);
      });
    },
    2,
  ),
  ...alsoNamed(
    allGroups('extractAllGroupsVertical', (groups, call) => {
      const one = call.fresh();
      const parts = groups.map((_, at) => `${one}[${at + 1}]`);
      return `list_transform(list_zip(${groups.join(', ')}), lambda ${one}: [${parts.join(', ')}])`;
    }),
    'extractAllGroups',
  ),
  allGroups('extractAllGroupsHorizontal', (groups) => `[${groups.join(', ')}]`),
  ...multiples,
  ...multiMatches,
];
