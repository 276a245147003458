import type { ArithmeticOperator, CompareOperator, Constant, Expr } from '../../ast.ts';
import { and, call, compare, constant, not, or, tuple } from '../../build.ts';
import { NotPlain, type PlainTokens } from './plain-tokens.ts';
import { UNITS } from './plain-words.ts';

/** Levels of brackets and NOT: deeper texts are not plain. */
const MAX_DEPTH = 30;
/** Operators of one kind after each other: of longer chains the grammar's parser decides. */
const MAX_CHAIN = 50;

const COMPARISONS: ReadonlyMap<string, CompareOperator> = new Map([
  ['=', '=='],
  ['==', '=='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['in', 'in'],
]);
const NEGATED: ReadonlyMap<string, CompareOperator> = new Map([
  ['like', 'not like'],
  ['ilike', 'not ilike'],
  ['in', 'not in'],
]);

/** Reads an expression of names, plain values, calls, and the usual operators. Throws NotPlain for any other. */
export function plainExpression(tokens: PlainTokens, depth = 0): Expr {
  if (depth > MAX_DEPTH) throw new NotPlain();
  const inner = (): Expr => plainExpression(tokens, depth + 1);

  /** What `read` reads, with its place. */
  function placed<Node extends Expr>(start: number, node: Node): Node {
    return { ...node, start, end: tokens.end };
  }

  /** One, or several with a word between them. */
  function chain(word: string, read: () => Expr, join: (...exprs: Expr[]) => Expr): Expr {
    const { start } = tokens;
    const exprs = [read()];
    while (tokens.take(word)) exprs.push(read());
    if (exprs.length > MAX_CHAIN) throw new NotPlain();
    return exprs.length === 1 ? exprs[0]! : placed(start, join(...exprs));
  }

  const disjunction = (): Expr => chain('or', conjunction, or);
  const conjunction = (): Expr => chain('and', () => negation(depth), and);

  function negation(level: number): Expr {
    const { start } = tokens;
    if (level > MAX_DEPTH) throw new NotPlain();
    if (!tokens.take('not')) return nullness();
    if (tokens.text === '(') throw new NotPlain();
    return placed(start, not(negation(level + 1)));
  }

  function nullness(): Expr {
    const { start } = tokens;
    const expr = comparison();
    if (!tokens.take('is')) return expr;
    const op = tokens.take('not') ? '!=' : '==';
    tokens.expect('null');
    if (tokens.text === 'is') throw new NotPlain();
    return placed(start, compare(op, expr, constant(null)));
  }

  function comparison(): Expr {
    const { start } = tokens;
    const left = sum();
    const isNegated = tokens.text === 'not' && NEGATED.has(tokens.after);
    if (isNegated) tokens.next();
    const op = (isNegated ? NEGATED : COMPARISONS).get(tokens.text);
    if (op === undefined) return left;
    tokens.next();
    const right = op.endsWith('in') ? list() : sum();
    if (COMPARISONS.has(tokens.text) || tokens.text === 'not') throw new NotPlain();
    return placed(start, compare(op, left, right));
  }

  /** Constants in brackets, of which a single one is a list too. */
  function list(): Expr {
    const { start } = tokens;
    tokens.expect('(');
    const exprs = [value()];
    while (tokens.take(',')) exprs.push(value());
    tokens.expect(')');
    // Of a single one the place is lost with its brackets.
    return exprs.length === 1 ? tuple(exprs[0]!) : placed(start, tuple(...exprs));
  }

  const sum = (): Expr => operation(['+', '-'], product);
  const product = (): Expr => operation(['*', '/'], operand);

  function operation(ops: readonly string[], read: () => Expr): Expr {
    const { start } = tokens;
    let left = read();
    for (let count = 1; ops.includes(tokens.text); count++) {
      if (count > MAX_CHAIN) throw new NotPlain();
      const op = tokens.next() as ArithmeticOperator;
      left = placed(start, { node: 'Arithmetic', op, left, right: read() });
    }
    return left;
  }

  function operand(): Expr {
    const { start } = tokens;
    if (tokens.take('(')) return bracketed();
    if (tokens.take('{')) return placeholder(start);
    if (tokens.take('interval')) return interval(start);
    if (tokens.kind !== 'word' || isValue(tokens.text)) return value();
    if (tokens.after === '(') return functionCall(start);
    return placed(start, { node: 'Field', chain: names() });
  }

  function bracketed(): Expr {
    const expr = inner();
    tokens.expect(')');
    return expr;
  }

  function names(): string[] {
    const found = [tokens.name()];
    while (tokens.take('.')) found.push(tokens.name());
    if (tokens.text === '[' || tokens.text === '(') throw new NotPlain();
    return found;
  }

  function placeholder(start: number): Expr {
    const found = names();
    tokens.expect('}');
    return placed(start, { node: 'Placeholder', chain: found });
  }

  function interval(start: number): Expr {
    const count = value();
    if (typeof count.value !== 'number') throw new NotPlain();
    const name = Object.hasOwn(UNITS, tokens.text) ? UNITS[tokens.text] : undefined;
    if (name === undefined) throw new NotPlain();
    tokens.next();
    return placed(start, call(name, count));
  }

  function functionCall(start: number): Expr {
    const name = tokens.name();
    tokens.expect('(');
    const isDistinct = tokens.take('distinct');
    const args: Expr[] = [];
    if (tokens.text === '*' && tokens.after === ')') args.push(star());
    else if (tokens.text !== ')') {
      do args.push(inner());
      while (tokens.take(','));
    }
    tokens.expect(')');
    if (isDistinct && args.length === 0) throw new NotPlain();
    if (['(', '.', '[', 'filter', 'over'].includes(tokens.text)) throw new NotPlain();
    return placed(start, { ...call(name, ...args), ...(isDistinct && { distinct: true as const }) });
  }

  function star(): Expr {
    const { start } = tokens;
    tokens.expect('*');
    return placed(start, { node: 'Field', chain: ['*'] });
  }

  function value(): Constant {
    const { start } = tokens;
    const isNegative = tokens.take('-');
    const { kind, text } = tokens;
    const written = tokens.next();
    if (isNegative) {
      if (kind !== 'number' || !isPlainNumber(written) || Number(written) === 0) throw new NotPlain();
      return placed(start, constant(-Number(written)));
    }
    if (kind === 'number' && isPlainNumber(written)) return placed(start, constant(Number(written)));
    if (kind === 'string' && isPlainString(written)) return placed(start, constant(written.slice(1, -1)));
    if (kind === 'word' && isValue(text)) return placed(start, constant(VALUES[text]!));
    throw new NotPlain();
  }

  return disjunction();
}

const VALUES: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function isValue(word: string): boolean {
  return Object.hasOwn(VALUES, word);
}

function isPlainNumber(written: string): boolean {
  return /^(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(written);
}

/** Without quotes in it and characters that are written in another way. */
function isPlainString(written: string): boolean {
  return /^'[^'\\]*'$/.test(written);
}
