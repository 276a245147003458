/**
 * A number of JSON that a double does not hold, as its text: JSON.parse would round it. It is stored and sent on with
 * the digits that it came with (`stringifyExactly`).
 */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For JSON.stringify, which cannot write digits of its own: a text, as in answers of queries. */
  toJSON(): string {
    written++;
    return this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** Whether a JSON value is an object: neither null nor an array, nor an exact number. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** How many exact numbers JSON.stringify has met. */
let written = 0;

/**
 * What may be a number that a double does not hold: one of 16 digits, or with an exponent of three. It is where a
 * value may begin, since the digits of UUIDs would fit too.
 */
const LONG = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]{17}|[\d.]+[eE][-+]?\d{3})/;

/** Whether JSON may have a number that JSON.parse rounds; also true for some texts. */
export function mayRound(json: string): boolean {
  return LONG.test(json);
}

/** As JSON.parse, with ExactNumber for numbers that a double does not hold. */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return mayRound(json) ? readValid(json) : value;
}

/** As JSON.stringify, with all digits of numbers; for values that JSON can hold. */
export function stringifyExactly(value: unknown): string {
  const before = written;
  const json = JSON.stringify(value);
  return written === before ? json : write(value);
}

type Container = unknown[] | Record<string, unknown>;

/** White space and separators, then what opens, closes or is a value; a text is only begun. */
const TOKEN = /[\s,:]*([[{\]}"]|[^\s,:[\]{}"]+)/y;

/** Reads JSON that JSON.parse has taken, without recursion: its depth is checked later. */
function readValid(json: string): unknown {
  const outside: unknown[] = [];
  const open: Container[] = [outside];
  let key: string | null = null;

  const put = (value: unknown): void => {
    const container = open.at(-1)!;
    if (Array.isArray(container)) container.push(value);
    else if (key === '__proto__') {
      Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
    } else container[key!] = value;
    key = null;
  };

  for (TOKEN.lastIndex = 0; ;) {
    const token = TOKEN.exec(json)?.[1];
    if (token === undefined) return outside[0];
    if (token === '[' || token === '{') {
      const container: Container = token === '[' ? [] : {};
      put(container);
      open.push(container);
    } else if (token === ']' || token === '}') open.pop();
    else if (token === '"') {
      const end = closingQuote(json, TOKEN.lastIndex - 1) + 1;
      const text = JSON.parse(json.slice(TOKEN.lastIndex - 1, end)) as string;
      TOKEN.lastIndex = end;
      if (key === null && !Array.isArray(open.at(-1))) key = text;
      else put(text);
    } else put(/^[-\d]/.test(token) ? numberOf(token) : JSON.parse(token));
  }
}

function numberOf(text: string): number | ExactNumber {
  const number = Number(text);
  const shortest = String(number);
  return shortest === text || decimalOf(shortest) === decimalOf(text) ? number : new ExactNumber(text);
}

const NUMBER = /^(-?)0*(\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** One text for all texts of a number: its digits without zeros at the ends, and the power of ten of the last. */
function decimalOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  let start = 0;
  while (start < end && digits[start] === '0') start++;
  if (start === end) return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
  return `${sign}${digits.slice(start, end)}e${power}`;
}

function write(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null || 'toJSON' in value)
    return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
}

/** Where the string literal that opens at `opening` closes; the length of the text when it does not. */
export function closingQuote(json: string, opening: number): number {
  for (let at = opening + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at;
  }
  return json.length;
}
