import { HogqlError } from '../errors.ts';
import type { Token } from './tokens.ts';

/** The grammar's parser falls over between 300 and 400 operators that follow each other. */
const MAX_OPERATORS = 250;
/** From here on it takes seconds. */
const MAX_NOTS = 10;
const MAX_DOTS = 30;

/** Words that end an expression. */
const BETWEEN_EXPRESSIONS = new Set(
  `select from where prewhere group having qualify order limit offset union intersect except when then else window
   with`.split(/\s+/),
);
const OPERATOR_WORDS = new Set('and or not in is like ilike between join lambda'.split(' '));
const NO_OPERATORS = new Set(['(', ')', ']', '{', '}', ',', ';', '.']);

export interface OperatorCount {
  /** Counts a token. Throws a HogqlError when too many operators follow each other. */
  see(token: Token): void;
  /** Operators that the next token follows: what brackets that open there begin with. */
  total(): number;
}

/** Counts the operators of one expression after the other, within brackets that follow `before` operators. */
export function countOperators(before: number): OperatorCount {
  let chained = before;
  /** Those between one AND or OR and the next do not add up. */
  let sinceAndOr = 0;
  let nots = 0;
  let dots = 0;
  const total = (): number => chained + sinceAndOr;
  return {
    total,
    see(token) {
      const { kind, text } = token;
      if (text === ',' || BETWEEN_EXPRESSIONS.has(text)) [chained, sinceAndOr] = [before, 0];
      else if (text === 'and' || text === 'or') [chained, sinceAndOr] = [chained + 1, 0];
      else if (kind === 'symbol' ? !NO_OPERATORS.has(text) : OPERATOR_WORDS.has(text)) sinceAndOr++;
      nots = text === 'not' ? nots + 1 : 0;
      if (text === '.') dots++;
      else if (kind === 'symbol') dots = 0;
      refuseMany('operators', total(), MAX_OPERATORS, token);
      refuseMany('NOT', nots, MAX_NOTS, token);
      refuseMany('dots', dots, MAX_DOTS, token);
    },
  };
}

function refuseMany(what: string, count: number, most: number, at: Token): void {
  if (count > most) throw new HogqlError(`More than ${most} consecutive ${what}.`, at);
}
