import { DATE_PATTERN, OFFSET_PATTERN } from '../../lib/iso-date.ts';
import { NUMBER_PATTERN } from '../../lib/number-text.ts';
import { isUtc, momentSql } from '../zone-sql.ts';
import { MAX_VERSION_LENGTH, MAX_VERSION_NUMBER, VERSION_PATTERN } from '../../lib/version-text.ts';

/**
 * SQL for whether a regular expression is found in a text. The group keeps DuckDB from turning simple patterns into its own
 * LIKE, which backtracks: `(?s)a.*b.*c` takes the cube of the text's length there.
 */
export function matchesSql(text: string, pattern: string, options = ''): string {
  return `regexp_matches(${text}, '(' || ${pattern} || ')'${options === '' ? '' : `, '${options}'`})`;
}

/** SQL for whether a text is a number by the grammar of JSON. */
export function isNumberSql(x: string): string {
  return `regexp_full_match(${x}, '${NUMBER_PATTERN}')`;
}

/** SQL for the number that a text is by the grammar of JSON, as a double; else NULL. */
export function numberSql(x: string): string {
  return `(CASE WHEN ${isNumberSql(x)} THEN try_cast(${x} AS DOUBLE) END)`;
}

/** Numbers as flags read them; JavaScript and RE2 agree on it. */
const FLAG_NUMBER_PATTERN = '\\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\\s*';

/** SQL for the number that flags take a text for, as a double; NULL for any other text (P-5). */
export function flagNumberSql(x: string): string {
  const number = `try_cast(trim(${x}) AS DOUBLE)`;
  return `(CASE WHEN regexp_full_match(${x}, '${FLAG_NUMBER_PATTERN}') AND isfinite(${number}) THEN ${number} END)`;
}

/** SQL for the Unix microseconds of a text that is an ISO date in the time zone, or a number of Unix seconds; else NULL. */
export function microsSql(x: string, timezone: string): string {
  const seconds = `try_cast(${x} AS DOUBLE) * 1000000`;
  return `(CASE WHEN ${isNumberSql(x)} THEN ${seconds} ELSE ${isoDateSql(x, timezone)} END)`;
}

/**
 * SQL for the Unix microseconds of a text that is an ISO date; else NULL. One without an offset is in the time zone. A cast
 * to TIMESTAMP ignores an offset and one to TIMESTAMPTZ takes the machine's where there is none, so each does what it does
 * right.
 */
function isoDateSql(x: string, timezone: string): string {
  const local = `try_cast(${x} AS TIMESTAMP)`;
  const moment = isUtc(timezone)
    ? local
    : `list_transform([${local}], lambda m: ${momentSql('m', timezone)})[1]`;
  return `(CASE
    WHEN NOT regexp_full_match(${x}, '${DATE_PATTERN}') THEN NULL
    WHEN regexp_matches(${x}, '${OFFSET_PATTERN}') THEN epoch_us(try_cast(${x} AS TIMESTAMPTZ))::DOUBLE
    ELSE epoch_us(${moment})::DOUBLE END)`;
}

/**
 * SQL for a version as it is compared, or NULL: its three numbers, then the marks after the dash, of which numbers come
 * before words, and no mark at all comes last.
 */
export function versionSql(text: string): string {
  const bare = `split_part(regexp_replace(trim(${text}, ' \t\r\n'), '^[vV]', ''), '+', 1)`;
  const found = `regexp_extract(t, '^${VERSION_PATTERN}$', ['major', 'minor', 'patch', 'marks'])`;
  const number = (part: string): string => `coalesce(try_cast(nullif(f.${part}, '') AS HUGEINT), 0)`;
  const marks = `CASE WHEN f.marks = '' THEN [{'k': 2, 'n': 0::HUGEINT, 't': ''}]
    ELSE list_transform(string_split(f.marks, '.'), lambda i: CASE WHEN regexp_full_match(i, '[0-9]+')
      THEN {'k': 0, 'n': coalesce(try_cast(i AS HUGEINT), 0), 't': ''} ELSE {'k': 1, 'n': 0::HUGEINT, 't': i} END) END`;
  const version = `{'c': [${number('major')}, ${number('minor')}, ${number('patch')}], 'p': ${marks}}`;
  return `list_transform(
    list_transform(list_filter([${bare}],
        lambda t: length(t) <= ${MAX_VERSION_LENGTH} AND regexp_matches(t, '^${VERSION_PATTERN}$')),
      lambda t: ${found}),
    lambda f: CASE WHEN list_max([${number('major')}, ${number('minor')}, ${number('patch')}]) <= ${MAX_VERSION_NUMBER}
      THEN ${version} END)[1]`;
}
