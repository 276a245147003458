import type { CallContext, Printed } from './function-row.ts';
import { LIMIT_MARK, onceEach } from './growth.ts';

/** `_` of one pattern: each is several instructions of RE2, and matching may take text times instructions. */
const MAX_SINGLE_WILDCARDS = 1_000;
/** Characters of a pattern that only a regular expression matches. */
const MAX_WRITTEN_PATTERN = 10_000;
/** Bytes of such a pattern that rows make: it is compiled for each of them. */
const MAX_ROW_PATTERN = 1_000;

/** A part of a pattern: a text, `_` or `%`. */
type Part = string | { readonly any: 'one' | 'all' };

type LikeContext = Pick<CallContext, 'bind' | 'fresh' | 'refuse'>;

/**
 * SQL for LIKE and ILIKE in linear time, with ClickHouse's meaning: `%` is any text, `_` any character, a newline too, and
 * a backslash makes `%`, `_` and a backslash plain; before any other character it is one itself. DuckDB's own LIKE
 * backtracks, and cannot be interrupted, unless its pattern is written out and has neither `_` nor ESCAPE.
 */
export function likeSql(text: string, pattern: Printed, isCaseless: boolean, call: LikeContext): string {
  const fold = (sql: string): string => (isCaseless ? `lower(${sql})` : sql);
  return typeof pattern.constant === 'string'
    ? writtenLike(fold(text), pattern.constant, fold, call)
    : rowLike(fold(text), fold(pattern.sql), call);
}

function writtenLike(
  text: string,
  pattern: string,
  fold: (sql: string) => string,
  call: LikeContext,
): string {
  const bound = (value: string): string => fold(call.bind(value).sql);
  if (!/[_\\]/.test(pattern)) return `(${text} LIKE ${bound(pattern)})`;
  const parts = partsOf(pattern);
  if (parts === null) return call.refuse('A LIKE pattern cannot end with a single backslash.', 1);
  return literalTest(text, parts, bound) ?? `regexp_full_match(${text}, ${bound(regexOf(parts, call))})`;
}

/** A test without a regular expression, for a text with `%` at its ends alone. */
function literalTest(text: string, parts: readonly Part[], bound: (value: string) => string): string | null {
  const literals = parts.filter((part) => typeof part === 'string');
  const isOfEnds = parts.every((part) => typeof part === 'string' || part.any === 'all');
  if (!isOfEnds || literals.length !== 1) return null;
  const [isOpenAtStart, isOpenAtEnd] = [typeof parts[0] !== 'string', typeof parts.at(-1) !== 'string'];
  const literal = bound(literals[0]!);
  if (isOpenAtStart && isOpenAtEnd) return `contains(${text}, ${literal})`;
  if (isOpenAtEnd) return `starts_with(${text}, ${literal})`;
  return isOpenAtStart ? `ends_with(${text}, ${literal})` : `(${text} = ${literal})`;
}

/** The pattern as RE2 reads it, for a full match. Not for regexp_matches, which DuckDB turns into its own LIKE. */
function regexOf(parts: readonly Part[], { refuse }: LikeContext): string {
  const singles = parts.filter((part) => typeof part !== 'string' && part.any === 'one').length;
  if (singles > MAX_SINGLE_WILDCARDS)
    return refuse(`A LIKE pattern can have up to ${MAX_SINGLE_WILDCARDS} "_", found ${singles}.`, 1);
  const regex = parts.map((part) => {
    if (typeof part === 'string') return part.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
    return part.any === 'one' ? '.' : '.*';
  });
  const text = `(?s)${regex.join('')}`;
  if (text.length <= MAX_WRITTEN_PATTERN) return text;
  return refuse(`A LIKE pattern with "_" can have up to ${MAX_WRITTEN_PATTERN} characters.`, 1);
}

/** The parts of a pattern; null when it ends with a backslash that escapes nothing. */
function partsOf(pattern: string): Part[] | null {
  const parts: Part[] = [];
  for (const [token] of pattern.matchAll(/\\[%_\\]|\\(?=.)|[^]/gsu)) {
    const last = parts.at(-1);
    if (token === '_') parts.push({ any: 'one' });
    else if (token === '%') {
      if (typeof last !== 'object' || last.any !== 'all') parts.push({ any: 'all' });
    } else {
      const text = token.length === 2 && token.startsWith('\\') ? token[1]! : token;
      if (typeof last === 'string') parts[parts.length - 1] = last + text;
      else parts.push(text);
    }
  }
  return isCutShort(pattern) ? null : parts;
}

function isCutShort(pattern: string): boolean {
  const backslashes = /\\*$/.exec(pattern)![0].length;
  return backslashes % 2 === 1;
}

/** A pattern that rows make: most have `%` at their ends alone; others become a regular expression, row by row. */
function rowLike(text: string, pattern: string, call: LikeContext): string {
  const token = call.fresh();
  return onceEach([text, pattern], call, (x, p) => {
    const literal = `replace(${p!}, '%', '')`;
    const [isOpenAtStart, isOpenAtEnd] = [`starts_with(${p!}, '%')`, `ends_with(${p!}, '%')`];
    const regex = `CASE ${token} WHEN '%' THEN '.*' WHEN '_' THEN '.'
      ELSE regexp_escape(regexp_replace(${token}, '^\\\\([%_\\\\])$', '\\1')) END`;
    const tokens = `regexp_extract_all(${p!}, '(?s)\\\\[%_\\\\]|.')`;
    const whole = `'(?s)' || array_to_string(list_transform(${tokens}, lambda ${token}: ${regex}), '')`;
    return `(CASE
      WHEN ${p!} IS NULL OR ${x!} IS NULL THEN NULL
      WHEN regexp_full_match(${p!}, '(?s)%*[^%_\\\\]*%*') THEN CASE
        WHEN ${isOpenAtStart} AND ${isOpenAtEnd} THEN contains(${x!}, ${literal})
        WHEN ${isOpenAtEnd} THEN starts_with(${x!}, ${literal})
        WHEN ${isOpenAtStart} THEN ends_with(${x!}, ${literal})
        ELSE ${x!} = ${literal} END
      WHEN strlen(${p!}) > ${MAX_ROW_PATTERN}
        THEN error('${LIMIT_MARK}A LIKE pattern that is not a constant can have up to ${MAX_ROW_PATTERN} bytes.')
      WHEN len(regexp_extract(${p!}, '\\\\*$')) % 2 = 1
        THEN error('${LIMIT_MARK}A LIKE pattern cannot end with a single backslash.')
      ELSE regexp_full_match(${x!}, ${whole}) END)`;
  });
}
