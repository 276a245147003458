import { HogqlError } from '../errors.ts';
import { matchBrackets } from './brackets.ts';
import { countOperators } from './operator-count.ts';
import type { Token } from './tokens.ts';

/**
 * The grammar's parser takes six times as long for each call within a call, and overflows its stack on long chains of
 * operators. So a text is parsed in pieces: the content of brackets within brackets is cut out, parsed by itself, and
 * replaced by a name or a short query at the same offset.
 */
export interface Piece {
  kind: 'query' | 'expression' | 'order';
  start: number;
  end: number;
  /** Pieces taken out of this one, by the offset where they begin. */
  cuts: ReadonlyMap<number, Piece>;
}

export const STAND_INS = { expression: 'x', query: 'SELECT x' } as const;

/** Levels of brackets that may stay within one piece: where the grammar needs brackets of its own, none can be cut. */
const MAX_UNCUT = 4;

/** Words before a bracket that are no names of functions; what follows is an expression in brackets or a tuple. */
const BEFORE_EXPRESSION = new Set(
  `in and or not when then else case select distinct where prewhere having qualify on by between like ilike limit
   offset interval cohort`.split(/\s+/),
);
const ALSO_FUNCTIONS = new Set(['and', 'or', 'in', 'like', 'ilike']);
/** Words before a bracket that belongs to the grammar, and is no expression. */
const BEFORE_GRAMMAR = new Set(
  `using over values as filter with exclude sets rollup cube from join recursive materialized sample final`.split(
    /\s+/,
  ),
);
/** Cuts a text into pieces. Throws a HogqlError for brackets that do not fit, and for what no parser could take. */
export function cutIntoPieces(kind: Piece['kind'], text: string, tokens: readonly Token[]): Piece {
  const partners = matchBrackets(tokens);

  function piece(of: Piece['kind'], from: number, to: number, start: number, end: number): Piece {
    const cuts = new Map<number, Piece>();
    cutRange(from, to, 0, 0, cuts);
    return { kind: of, start, end, cuts };
  }

  /** Finds what to cut between two tokens, `depth` brackets deep within the piece, after some operators. */
  function cutRange(
    from: number,
    to: number,
    depth: number,
    operatorsBefore: number,
    cuts: Map<number, Piece>,
    isRows = false,
  ): void {
    const operators = countOperators(operatorsBefore);
    for (let index = from; index < to; index++) {
      const token = tokens[index]!;
      const atom = depth > 0 && !(isRows && token.text === '(') ? endOfAtom(index) : null;
      if (atom !== null && atom < to) {
        const [start, end] = [token.start, tokens[atom]!.end];
        cuts.set(start, piece('expression', index, atom + 1, start, end));
        index = atom;
        continue;
      }
      operators.see(token);
      const partner = partners.get(index);
      if (partner === undefined || partner < index) continue;
      cutGroup(index, partner, depth, operators.total(), cuts);
      index = partner;
    }
  }

  /** Looks into a pair that stays in the piece. */
  function cutGroup(
    opener: number,
    closer: number,
    depth: number,
    operators: number,
    cuts: Map<number, Piece>,
  ): void {
    const text = tokens[opener]!.text;
    if (text === '{') return expectName(opener, closer);
    const [first, last] = [tokens[opener + 1]!, tokens[closer - 1]!];
    if (text === '(' && beginsQuery(opener + 1) && last.end - first.start >= STAND_INS.query.length) {
      cuts.set(first.start, piece('query', opener + 1, closer, first.start, last.end));
      return;
    }
    if (depth >= MAX_UNCUT) throw new HogqlError('Brackets are nested too deeply.', first);
    cutRange(opener + 1, closer, depth + 1, operators, cuts, holdsRows(opener));
  }

  /** Brackets whose brackets belong to the grammar: GROUPING SETS ((a), (b)) and (VALUES (1, 2), (3, 4)). */
  function holdsRows(opener: number): boolean {
    const [next, afterNext] = [tokens[opener + 1]!.text, tokens[opener + 2]?.text];
    return tokens[opener - 1]?.text === 'sets' || (next === 'values' && afterNext === '(');
  }

  /** Braces contain only names: `{filters.dateRange.from}`. */
  function expectName(opener: number, closer: number): void {
    const inside = tokens.slice(opener + 1, closer);
    const fits = inside.every(({ kind: of, text: is }, index) =>
      index % 2 === 0 ? of === 'word' || of === 'quoted' : is === '.',
    );
    if (!fits || inside.length % 2 === 0)
      throw new HogqlError('Only a name is allowed in braces, such as {filters} or {variables.country}.', {
        start: tokens[opener]!.start,
        end: tokens[closer]!.end,
      });
  }

  function beginsQuery(index: number): boolean {
    const { text: word } = tokens[index]!;
    const next = tokens[index + 1]?.text;
    return (word === 'select' || word === 'with') && ![')', ',', '.', '+', '=', '=='].includes(next ?? '');
  }

  /** The last token of an expression in brackets that begins at a token, when it can be taken out; else null. */
  function endOfAtom(index: number): number | null {
    const token = tokens[index]!;
    const before = tokens[index - 1];
    const end = endOfCall(index) ?? endOfBracketed(index);
    if (end === null || before?.text === '.' || before?.text === '::') return null;
    // A lambda's arguments, and the head of a common table expression.
    const [next, afterNext] = [tokens[end + 1]?.text, tokens[end + 2]?.text];
    if (next === '->' || (next === 'as' && afterNext === '(')) return null;
    if (token.kind === 'symbol' || token.text === 'case') return end;
    return before !== undefined && (isOperand(index - 1) || BEFORE_GRAMMAR.has(before.text)) ? null : end;
  }

  /** `name(…)`, `name(…)(…)`, with FILTER and OVER. */
  function endOfCall(index: number): number | null {
    if (!isNameOfFunction(index) || tokens[index + 1]?.text !== '(') return null;
    let end = partners.get(index + 1)!;
    if (tokens[end + 1]?.text === '(') end = partners.get(end + 1)!;
    if (tokens[end + 1]?.text === 'filter' && tokens[end + 2]?.text === '(') end = partners.get(end + 2)!;
    if (tokens[end + 1]?.text !== 'over') return end;
    return tokens[end + 2]?.text === '(' ? partners.get(end + 2)! : end + 2;
  }

  /** `and(a, b)` is a call, unless the word is between two operands. */
  function isNameOfFunction(index: number): boolean {
    const [token, before] = [tokens[index]!, tokens[index - 1]];
    if (token.kind === 'quoted') return true;
    if (token.kind !== 'word') return false;
    if (!ALSO_FUNCTIONS.has(token.text)) return !isKeyword(token.text);
    return before === undefined || (before.text !== 'not' && !isOperand(index - 1));
  }

  /**
   * A tuple, an array, an expression in brackets or a CASE, but not the brackets of a call, an index or a part of the
   * grammar.
   */
  function endOfBracketed(index: number): number | null {
    const token = tokens[index]!;
    const partner = partners.get(index);
    if (partner === undefined || partner < index || token.text === '{') return null;
    if (token.text === '(' && beginsQuery(index + 1)) return null;
    const before = tokens[index - 1];
    if (before === undefined) return partner;
    if (BEFORE_GRAMMAR.has(before.text) || (token.text !== 'case' && isOperand(index - 1))) return null;
    return partner;
  }

  /** Whether a token ends a value, so that a bracket after it belongs to it. */
  function isOperand(index: number): boolean {
    const token = tokens[index]!;
    if (token.kind === 'symbol') return [')', ']', '}'].includes(token.text);
    return token.kind !== 'word' || tokens[index - 1]?.text === '.' || !isKeyword(token.text);
  }

  const first = tokens[0];
  if (first === undefined) throw new HogqlError('Empty expression.', { start: 0, end: text.length });
  return piece(kind, 0, tokens.length, 0, text.length);
}

function isKeyword(word: string): boolean {
  return BEFORE_EXPRESSION.has(word) || BEFORE_GRAMMAR.has(word);
}
