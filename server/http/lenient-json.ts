/** A number so long that doubles may round it. */
const LONG = /\d{16}/;
const IDS = /("(?:\$?distinct_id|\$anon_distinct_id|alias|\$group_key)"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g;
const GROUPS = /"\$groups"\s*:\s*\{[^{}]*\}/g;
/** Texts, so that they are passed over, and long numbers. */
const VALUES = /"(?:[^"\\]|\\.)*"|(?<=[:\s])-?\d{16,}(?=\s*[,}])/g;

/**
 * JSON text in which whole numbers that a double cannot hold are texts where they are ids: the JSON text of a number is
 * the id (ingestion contract 3.3), and JSON.parse would give neighbours one and the same. A brace in a text of `$groups`
 * may make valid JSON invalid.
 */
function withExactIds(json: string): string {
  if (!LONG.test(json)) return json;
  return json
    .replace(IDS, (_, name: string, digits: string) => name + textOf(digits))
    .replace(GROUPS, (groups) => groups.replace(VALUES, textOf));
}

/** Texts stay as they are, and so do numbers that are exact. */
function textOf(value: string): string {
  return value.startsWith('"') || Number.isSafeInteger(Number(value)) ? value : `"${value}"`;
}

const WORD = /-?\b(?:NaN|Infinity)\b/g;

/** Whether the text begins as a JSON object or array does. */
export function opensJson(text: string): boolean {
  const first = text.trimStart().charAt(0);
  return first === '{' || first === '[';
}

/**
 * Parses JSON. Text that is not JSON only because it holds NaN, Infinity or -Infinity (what Python's and Ruby's encoders
 * write) is read with null in their place. Ids that are numbers keep every digit. Throws SyntaxError for everything else.
 */
export function parseLenientJson(text: string): unknown {
  const exact = withExactIds(text);
  if (exact !== text) {
    try {
      return parse(exact);
    } catch {
      // The text as it came says what is wrong.
    }
  }
  return parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!text.includes('NaN') && !text.includes('Infinity')) throw error;
    return JSON.parse(withNullForNumberWords(text));
  }
}

/** Replaces the words outside string literals; a string without an end is left for JSON.parse to refuse. */
function withNullForNumberWords(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    const opens = text.indexOf('"', from);
    const end = opens === -1 ? text.length : opens;
    pieces.push(text.slice(from, end).replace(WORD, 'null'));
    if (opens === -1) break;
    from = endOfString(text, opens);
    pieces.push(text.slice(opens, from));
  }
  return pieces.join('');
}

/** The index behind the string literal that opens at `opens`. */
function endOfString(text: string, opens: number): number {
  for (let at = opens + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return text.length;
}
