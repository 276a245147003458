/** A number so long that doubles may round it. */
const LONG = /\d{16}/;
/** Texts, so that they are passed over, and numbers with their fraction and exponent. */
const VALUES = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Reads JSON; whole numbers that a double cannot hold become texts with all their digits, as in answers of queries. */
export function parseExactJson(json: string): unknown {
  return JSON.parse(LONG.test(json) ? json.replace(VALUES, exact) : json);
}

function exact(value: string): string {
  return /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value)) ? `"${value}"` : value;
}
