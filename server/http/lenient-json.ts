import { withExactIds } from './exact-ids.ts';

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
