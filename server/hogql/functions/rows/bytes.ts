import { scalar, withNull } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asText, asWhole, isNullable, writtenText } from '../read-argument.ts';

const STRING = scalar('String');
/** The digits of Bitcoin's base 58: without 0, O, I and l. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Digits per division: five of base 58, three bytes. */
const DIGITS = 5;
const BYTES = 3;
/** Bytes of a text that is written in another base, which takes time with their square. */
const MOST_BYTES = 128;

/** SQL that pads a text at its left until its length is a multiple. */
function filled(text: string, multiple: number, letter: string): string {
  return `(repeat('${letter}', (${multiple} - length(${text}) % ${multiple}) % ${multiple}) || ${text})`;
}

/** SQL for the parts of a text that are so many letters long, each as a number. */
function limbs(text: string, size: number, call: CallContext, number: (part: string) => string): string {
  const at = call.fresh();
  const part = `substring(${text}, ${at}, ${size})`;
  return `list_transform(range(1, length(${text}) + 1, ${size}), lambda ${at}: ${number(part)})`;
}

/** SQL for the digits of a number in another base, by so many long divisions; numbers are lists of digits. */
function rebased(digits: string, from: number, to: number, divisions: string, call: CallContext): string {
  const [sum, one, digit, quotient] = [call.fresh(), call.fresh(), call.fresh(), call.fresh()];
  const none = 'CAST([] AS BIGINT[])';
  const value = `(${quotient}.rest * ${from} + ${digit}.rest)`;
  const step = `{'rest': ${value} % ${to}, 'digits': ${quotient}.digits || [${value} // ${to}]}`;
  const items = `list_transform(${sum}.number, lambda ${digit}: {'rest': ${digit}, 'digits': ${none}})`;
  const divided = `list_reduce(${items}, lambda ${quotient}, ${digit}: ${step}, {'rest': CAST(0 AS BIGINT), 'digits': ${none}})`;
  const next = once(divided, call, (by) => `{'number': ${by}.digits, 'made': [${by}.rest] || ${sum}.made}`);
  const rounds = `list_transform(range(${divisions}), lambda ${one}: {'number': ${none}, 'made': ${none}})`;
  return `list_reduce(${rounds}, lambda ${sum}, ${one}: ${next}, {'number': ${digits}, 'made': ${none}}).made`;
}

/** How many letters at the beginning of a text are that one. */
function leading(text: string, letters: string): string {
  return `length(regexp_extract(${text}, '^(${letters})*'))`;
}

function base58Encode([argument]: readonly Printed[], call: CallContext): Printed {
  const text = asText(argument!, call, 0);
  const sql = onceEach([`hex(${text.sql})`], call, (hex) => {
    const [digit, power] = [call.fresh(), call.fresh()];
    const number = limbs(
      filled(hex!, 2 * BYTES, '0'),
      2 * BYTES,
      call,
      (part) => `CAST('0x' || ${part} AS BIGINT)`,
    );
    const made = rebased(number, 256 ** BYTES, 58 ** DIGITS, `length(${hex!}) * 4 // 29 + 1`, call);
    const letter = `substring('${BASE58}', 1 + (${digit} // CAST(pow(58, ${power}) AS BIGINT)) % 58, 1)`;
    const letters = `array_to_string(list_transform(range(${DIGITS - 1}, -1, -1), lambda ${power}: ${letter}), '')`;
    const all = `array_to_string(list_transform(${made}, lambda ${digit}: ${letters}), '')`;
    const written = `(repeat('1', ${leading(hex!, '00')} // 2) || ltrim(${all}, '1'))`;
    return unlessTooLarge(`length(${hex!}) > ${2 * MOST_BYTES}`, written);
  });
  return { sql: `(CASE WHEN ${text.sql} IS NOT NULL THEN ${sql} END)`, type: text.type };
}

/** SQL for the text that was written in base 58; NULL where what is written is none. */
function fromBase58(written: string, call: CallContext): string {
  return onceEach([written], call, (text) => {
    const [digit, power] = [call.fresh(), call.fresh()];
    const value = (part: string): string => {
      const places = `list_transform(range(${DIGITS}), lambda ${power}: (instr('${BASE58}', substring(${part}, 1 + ${power}, 1)) - 1) * CAST(pow(58, ${DIGITS - 1} - ${power}) AS BIGINT))`;
      return `CAST(list_sum(${places}) AS BIGINT)`;
    };
    const number = limbs(filled(text!, DIGITS, '1'), DIGITS, call, value);
    const made = rebased(number, 58 ** DIGITS, 256 ** BYTES, `length(${text!}) * 6 // 24 + 1`, call);
    const hex = `array_to_string(list_transform(${made}, lambda ${digit}: lpad(hex(${digit}), ${2 * BYTES}, '0')), '')`;
    const bytes = `regexp_replace(${hex}, '^(00)+', '')`;
    const decoded = `try(decode(unhex(repeat('00', ${leading(text!, '1')}) || ${bytes})))`;
    const isWritten = `regexp_full_match(${text!}, '[${BASE58}]*')`;
    const known = unlessTooLarge(`length(${text!}) > ${2 * MOST_BYTES}`, decoded);
    return `(CASE WHEN ${isWritten} THEN ${known} END)`;
  });
}

/** `bitSlice(text, offset, [length])`: bits of the bytes of a text, from 1 or backwards, filled up to whole bytes. */
function bitSlice(args: readonly Printed[], call: CallContext): Printed {
  const text = asText(args[0]!, call, 0);
  const numbers = args.slice(1).map((one, at) => asWhole(one, call, at + 1).sql);
  const sql = onceEach([`bin(${text.sql})`, ...numbers], call, (bits, from, length) => {
    const taken = `substring(${bits!}, ${from!}${length === undefined ? '' : `, greatest(${length}, 0)`})`;
    return once(taken, call, (part) => {
      const bytes = `${part} || repeat('0', (8 - length(${part}) % 8) % 8)`;
      return `(CASE WHEN ${part} = '' THEN '' ELSE try(decode(unbin(${bytes}))) END)`;
    });
  });
  return { sql, type: withNull(STRING) };
}

/** Character sets whose letters are single bytes, or those of texts here, by the highest letter that they have. */
const CHARSETS: Readonly<Record<string, number | null>> = {
  'utf-8': null,
  utf8: null,
  'us-ascii': 0x7f,
  ascii: 0x7f,
  'iso-8859-1': 0xff,
  latin1: 0xff,
};

function charset(args: readonly Printed[], at: number, call: CallContext): number | null {
  const name = writtenText(args, at, call, 'The character set').toLowerCase();
  const highest = Object.hasOwn(CHARSETS, name) ? CHARSETS[name] : undefined;
  return highest === undefined
    ? call.refuse(`Character sets are UTF-8, US-ASCII and ISO-8859-1, not '${name.slice(0, 40)}'.`, at)
    : highest;
}

/**
 * `convertCharset(text, from, to)`: the bytes of the text, read as letters of one character set and written as those of the
 * other. What it gives is text: NULL where the bytes are none.
 */
function convertCharset(args: readonly Printed[], call: CallContext): Printed {
  const text = asText(args[0]!, call, 0);
  const [from, to] = [charset(args, 1, call), charset(args, 2, call)];
  const [at, letter] = [call.fresh(), call.fresh()];
  // A letter that a character set does not have is a question mark.
  const within = (code: string, highest: number | null): string =>
    highest === null ? code : `(CASE WHEN ${code} > ${highest} THEN 63 ELSE ${code} END)`;
  const sql = onceEach([text.sql], call, (x) => {
    const byte = `CAST('0x' || substring(hex(${x!}), 2 * ${at} + 1, 2) AS INTEGER)`;
    const codes =
      from === null
        ? `list_transform(string_split(${x!}, ''), lambda ${letter}: unicode(${letter}))`
        : `list_transform(range(strlen(${x!})), lambda ${at}: ${within(byte, from)})`;
    const code = within(letter, to);
    const written = to === null ? `chr(${code})` : `lpad(hex(${code}), 2, '0')`;
    const all = `array_to_string(list_transform(${codes}, lambda ${letter}: ${written}), '')`;
    const converted = to === null ? all : `try(decode(unhex(${all})))`;
    const sized = unlessTooLarge(`strlen(${x!}) > ${MOST_ITEMS_OF_ROWS}`, converted);
    return `(CASE WHEN ${x!} = '' THEN '' ELSE ${sized} END)`;
  });
  return { sql, type: withNull(STRING) };
}

/** Functions over the bytes of texts; a result that is not valid text is NULL. */
export const bytes: readonly FunctionRow[] = [
  typed('base58Encode', 1, base58Encode),
  typed('base58Decode', 1, ([text], call) => ({
    sql: fromBase58(asText(text!, call, 0).sql, call),
    type: withNull(STRING),
  })),
  typed('tryBase58Decode', 1, ([text], call) => ({
    sql: `coalesce(${fromBase58(asText(text!, call, 0).sql, call)}, '')`,
    type: withNull(STRING, isNullable([text!])),
  })),
  typed('bitSlice', [2, 3], bitSlice),
  typed('convertCharset', 3, convertCharset),
];
