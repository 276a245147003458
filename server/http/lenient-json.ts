import { closingQuote, parseExactly } from '../lib/exact-number.contract.ts';

const WORD = /-?\b(?:NaN|Infinity)\b/g;

/** Whether the text begins as a JSON object or array does. */
export function opensJson(text: string): boolean {
  const first = text.trimStart().charAt(0);
  return first === '{' || first === '[';
}

/**
 * Parses JSON. Text that is not JSON only because it holds NaN, Infinity or -Infinity (what Python's and Ruby's encoders
 * write) is read with null in their place. Numbers keep every digit. Throws SyntaxError for everything else.
 */
export function parseLenientJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (!text.includes('NaN') && !text.includes('Infinity')) throw error;
    return parseExactly(withNullForNumberWords(text));
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
    from = closingQuote(text, opens) + 1;
    pieces.push(text.slice(opens, from));
  }
  return pieces.join('');
}
