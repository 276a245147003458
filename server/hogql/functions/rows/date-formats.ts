import { scalar } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { fromLocal, namedZone, once } from '../local-time.ts';
import { asText, localTime, writtenText } from '../read-argument.ts';
import { inNamedZone } from './date-parts.ts';

/** What ClickHouse (MySQL) writes with a letter, as a format of DuckDB. */
const LETTERS: Readonly<Record<string, string>> = {
  a: '%a',
  b: '%b',
  c: '%-m',
  d: '%d',
  D: '%m/%d/%y',
  e: '%-d',
  F: '%Y-%m-%d',
  f: '%f',
  G: '%G',
  H: '%H',
  h: '%I',
  i: '%M',
  I: '%I',
  j: '%j',
  k: '%H',
  l: '%I',
  M: '%B',
  m: '%m',
  n: '\n',
  p: '%p',
  r: '%I:%M %p',
  R: '%H:%M',
  s: '%S',
  S: '%S',
  t: '\t',
  T: '%H:%M:%S',
  u: '%u',
  V: '%V',
  w: '%w',
  W: '%A',
  y: '%y',
  Y: '%Y',
  '%': '%%',
};

/** Letters that DuckDB has no format for. */
const COMPUTED: Readonly<Record<string, (local: string) => string>> = {
  C: (local) => `lpad(CAST(year(${local}) // 100 AS VARCHAR), 2, '0')`,
  g: (local) => `lpad(CAST(isoyear(${local}) % 100 AS VARCHAR), 2, '0')`,
  Q: (local) => `CAST(quarter(${local}) AS VARCHAR)`,
};

/** The format in pieces: formats of DuckDB, and letters that are computed. */
function pieces(format: string, call: CallContext): { text: string; computed: boolean }[] {
  const found: { text: string; computed: boolean }[] = [];
  for (const [piece] of format.matchAll(/%[\s\S]?|[^%]+/g)) {
    const letter = piece.slice(1);
    if (!piece.startsWith('%')) found.push({ text: piece, computed: false });
    else if (Object.hasOwn(COMPUTED, letter)) found.push({ text: letter, computed: true });
    else if (Object.hasOwn(LETTERS, letter)) found.push({ text: LETTERS[letter]!, computed: false });
    else call.refuse(`formatDateTime does not support ${piece}.`, 1);
  }
  return found;
}

/** Neighbouring formats in one, so that a date is formatted once. */
function joined(all: readonly { text: string; computed: boolean }[]): { text: string; computed: boolean }[] {
  const found: { text: string; computed: boolean }[] = [];
  for (const piece of all) {
    const last = found.at(-1);
    if (last !== undefined && !last.computed && !piece.computed) last.text += piece.text;
    else found.push({ ...piece });
  }
  return found;
}

/** The date in the format of ClickHouse (that of MySQL), in the zone that is named, or its own. */
function formatDateTime(args: readonly Printed[], call: CallContext): Printed {
  const format = joined(pieces(writtenText(args, 1, call, 'The format'), call));
  const argument = inNamedZone(args, 2, call);
  const sql = once(localTime(argument, call, 0), call, (local) => {
    const texts = format.map(({ text, computed }) =>
      computed ? COMPUTED[text]!(local) : `strftime(${local}, ${call.bind(text).sql})`,
    );
    return texts.length === 0 ? `''` : `(${texts.join(' || ')})`;
  });
  return { sql, type: scalar('String', argument.type.nullable || argument.type.name === 'String') };
}

/** Parses a text in that format to a moment; NULL when the text does not match. */
function parseDateTime(args: readonly Printed[], call: CallContext): Printed {
  const format = pieces(writtenText(args, 1, call, 'The format'), call);
  if (format.some(({ computed }) => computed)) return call.refuse('Invalid format.', 1);
  const text = format.map((piece) => piece.text).join('');
  const zone = namedZone(args, 2, call) ?? call.timezone;
  const parsed = `try_strptime(${asText(args[0]!, call, 0).sql}, ${call.bind(text).sql})`;
  return {
    sql: fromLocal(parsed, zone, call),
    type: { name: 'DateTime', nullable: true, zone, seconds: true },
  };
}

export const dateFormats: readonly FunctionRow[] = [
  ...alsoNamed(typed('formatDateTime', [2, 3], formatDateTime), 'date_format', 'to_char'),
  ...alsoNamed(typed('parseDateTime', [2, 3], parseDateTime), 'parseDateTimeOrNull'),
];
