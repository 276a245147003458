import type { CallContext } from './function-row.ts';
import { once } from './local-time.ts';

/** SQL for whether each letter of a text is one byte. */
export function isAsciiSql(text: string): string {
  return `strlen(${text}) = length(${text})`;
}

/** SQL for what ClickHouse's functions of bytes do: the functions of letters, unless a letter is several bytes. */
export function byBytes(text: string, letters: string, bytes: string): string {
  return `(CASE WHEN ${isAsciiSql(text)} THEN ${letters} ELSE ${bytes} END)`;
}

const LARGE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/** SQL for a text in small letters; those beyond ASCII stay. */
export function lowerSql(text: string): string {
  return byBytes(text, `lower(${text})`, `translate(${text}, '${LARGE}', '${SMALL}')`);
}

/** SQL for a text in capital letters; those beyond ASCII stay. */
export function upperSql(text: string): string {
  return byBytes(text, `upper(${text})`, `translate(${text}, '${SMALL}', '${LARGE}')`);
}

/** SQL for the bytes of a text in reverse; letters that break are shown as the replacement character. */
export function reverseSql(text: string): string {
  // A control character takes its place, since the replacement character is several bytes itself.
  const bytes = `regexp_replace(${text}, '[\\x{80}-\\x{10FFFF}]', chr(1), 'g')`;
  return byBytes(text, `reverse(${text})`, `replace(reverse(${bytes}), chr(1), '${REPLACEMENT}')`);
}

const REPLACEMENT = '\u{FFFD}';

/** SQL for so many bytes of a text from a place, counted from 1; half letters at the ends are replacement characters. */
export function bytesSql(
  text: string,
  from: string,
  count: string,
  call: Pick<CallContext, 'fresh'>,
): string {
  const hex = `substring(hex(encode(${text})), 2 * (${from}) - 1, 2 * (${count}))`;
  return once(hex, call, (digits) => {
    const whole = `try(decode(unhex(${digits})))`;
    const head = `regexp_extract(${digits}, '^(?:[89AB][0-9A-F])*')`;
    const repaired = once(`substring(${digits}, length(${head}) + 1)`, call, (rest) => {
      const tail = `regexp_extract(${rest}, '(?:[C-F][0-9A-F]|[EF][0-9A-F][89AB][0-9A-F]|F[0-9A-F](?:[89AB][0-9A-F]){2})$')`;
      const middle = `try(decode(unhex(left(${rest}, length(${rest}) - length(${tail})))))`;
      return (
        `(CASE ${head} WHEN '' THEN '' ELSE '${REPLACEMENT}' END || ${middle} || ` +
        `CASE ${tail} WHEN '' THEN '' ELSE '${REPLACEMENT}' END)`
      );
    });
    return `coalesce(${whole}, ${repaired})`;
  });
}

/** SQL for the place of a part in a text, in bytes from 1; 0 where it is not there. `searched` has the same letters. */
export function bytePlaceSql(text: string, found: string): string {
  return `(CASE ${found} WHEN 0 THEN 0 ELSE strlen(left(${text}, ${found} - 1)) + 1 END)`;
}
