import { HogqlError } from '../errors.ts';
import type { GrammarError } from './grammar.ts';
import type { PieceText } from './piece-text.ts';
import type { Token } from './tokens.ts';

/** Clauses that the grammar has and refuses, and the word they begin with. */
const CLAUSES: Readonly<Record<string, string>> = {
  settingsClause: 'settings',
  topClause: 'top',
  ColumnExprDate: 'date',
  ColumnExprTimestamp: 'timestamp',
  ColumnExprSubstring: 'substring',
};

/** The error of the grammar in our words, at its place in the whole text. */
export function grammarErrorIn(
  { type, message, start }: GrammarError,
  piece: PieceText,
  tokens: readonly Token[],
): HogqlError {
  const offset = piece.place(start.offset, start.offset).start;
  const clause =
    type === 'NotImplementedError' ? Object.keys(CLAUSES).find((key) => message.includes(key)) : undefined;
  if (clause !== undefined) return unsupportedClause(CLAUSES[clause]!, offset, tokens);
  if (type === 'NotImplementedError') return new HogqlError(inWords(message), { start: offset });
  const token = tokens.find(({ end }) => end > offset);
  if (token === undefined) return new HogqlError('Unexpected end of query.', { start: offset });
  const place = { start: token.start, end: token.end };
  const character = /^Unexpected character/.test(message);
  return new HogqlError(
    character ? 'Unexpected character.' : `Unexpected "${shown(token, piece)}".`,
    character ? { start: offset, end: offset + 1 } : place,
  );
}

function unsupportedClause(word: string, from: number, tokens: readonly Token[]): HogqlError {
  const token = tokens.find(({ text, start }) => text === word && start >= from);
  return new HogqlError(`${word.toUpperCase()} is not supported here.`, token ?? { start: from });
}

/** `Unsupported: JOIN ... ON with multiple expressions` */
function inWords(message: string): string {
  const rest = message.replace(/^Unsupported(?: rule)?: ?/, '');
  return rest === message ? `${message.replace(/\.$/, '')}.` : `Not supported: ${rest}.`;
}

function shown(token: Token, piece: PieceText): string {
  const text = token.text === '' ? piece.between(token.start, token.end) : token.text;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
