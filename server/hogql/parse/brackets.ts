import { HogqlError } from '../errors.ts';
import type { Token } from './tokens.ts';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const MAX_DEPTH = 100;

/**
 * The partner of each token that opens or closes a pair: brackets, braces, and CASE with its END. Throws a HogqlError
 * for a bracket without partner, and for pairs that are nested too deep.
 */
export function matchBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  const pair = (index: number): void => {
    const opener = open.pop()!;
    partners.set(opener, index).set(index, opener);
  };
  const isCase = (index: number | undefined): boolean =>
    index !== undefined && tokens[index]!.text === 'case';
  tokens.forEach((token, index) => {
    const { text } = token;
    if (Object.hasOwn(CLOSING, text) || (text === 'case' && opensCase(tokens, index))) {
      open.push(index);
      if (open.length > MAX_DEPTH)
        throw new HogqlError(`Brackets are nested more than ${MAX_DEPTH} levels deep.`, token);
    } else if (text === 'end' && isCase(open.at(-1)) && tokens[index - 1]!.text !== '.') pair(index);
    else if (text === ')' || text === ']' || text === '}') {
      // A column may be called "case".
      while (isCase(open.at(-1))) open.pop();
      const opener = open.at(-1);
      if (opener === undefined || CLOSING[tokens[opener]!.text] !== text)
        throw new HogqlError(`Unmatched "${text}".`, token);
      pair(index);
    }
  });
  while (isCase(open.at(-1))) open.pop();
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    const token = tokens[unclosed]!;
    throw new HogqlError(`Unclosed "${token.text}".`, token);
  }
  return partners;
}

function opensCase(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return before !== '.' && before !== 'as' && tokens[index + 1]?.text !== '.';
}
