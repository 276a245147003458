import type { Expr, OrderExpr, Placeholder, Query } from '../ast.ts';
import { arrayAccess, constant } from '../build.ts';
import { HogqlError } from '../errors.ts';
import { EXPRESSIONS } from './convert-expression.ts';
import { readOrder, readQuery, readWindow } from './convert-query.ts';
import type { Grammar, GrammarError, GrammarNode } from './grammar.ts';
import { grammarErrorIn } from './grammar-error.ts';
import { cutIntoPieces, type Piece } from './pieces.ts';
import { pieceText, type PieceText } from './piece-text.ts';
import type { Reader } from './reader.ts';
import { refuseDropped } from './refuse-dropped.ts';
import { tokenize, type Token } from './tokens.ts';

/** What a text is read as, and what comes of it. */
export interface Readings {
  query: Query;
  expression: Expr;
  order: OrderExpr;
}

/** Levels of our tree: each reader of it calls itself for the next one. */
const MAX_LEVELS = 500;
const QUERIES = new Set(['SelectQuery', 'SelectSetQuery']);

/** Reads a text. Throws a HogqlError with the place of what is wrong; never lasts long by nesting. */
export function readHogql<Kind extends keyof Readings>(
  grammar: Grammar,
  kind: Kind,
  text: string,
): Readings[Kind] {
  refuseBrokenCharacters(text);
  const given = tokenize(text);
  refuseDropped(given);
  const plain = withoutExtract(text, given);
  const tokens = plain === text ? given : tokenize(plain);
  const piece = cutIntoPieces(kind, plain, tokens);
  return readPiece({ grammar, text: plain, tokens }, piece, { levels: 0 }) as Readings[Kind];
}

/** Functions of the units that `EXTRACT(unit FROM date)` takes; each is shorter than what it replaces. */
const EXTRACTED: Readonly<Record<string, string>> = {
  year: 'toYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  day: 'toDayOfMonth',
  hour: 'toHour',
  minute: 'toMinute',
  second: 'toSecond',
};

/** The text with `EXTRACT(year FROM date)`, which the grammar does not take, as a call at the same place. */
function withoutExtract(text: string, tokens: readonly Token[]): string {
  let plain = text;
  tokens.forEach((token, index) => {
    const [bracket, unit, from] = tokens.slice(index + 1, index + 4);
    if (token.text !== 'extract' || bracket?.text !== '(' || from?.text !== 'from') return;
    const name = unit !== undefined && Object.hasOwn(EXTRACTED, unit.text) ? EXTRACTED[unit.text] : undefined;
    if (name === undefined) return;
    const call = `${name}(`.padEnd(from.end - token.start);
    plain = plain.slice(0, token.start) + call + plain.slice(from.end);
  });
  return plain;
}

interface Source {
  grammar: Grammar;
  text: string;
  tokens: readonly Token[];
}

function refuseBrokenCharacters(text: string): void {
  const broken = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  if (broken !== null)
    throw new HogqlError('Invalid character (lone surrogate).', {
      start: broken.index,
      end: broken.index + 1,
    });
}

function readPiece(
  source: Source,
  piece: Piece,
  counted: { levels: number },
): Query | Expr | OrderExpr | Placeholder {
  const asked = pieceText(source.text, piece);
  const json = parse(source, piece, asked);
  const used = new Set<number>();

  const reader: Reader = {
    expr: (node) => expression(node as GrammarNode),
    exprs: (nodes) => ((nodes ?? []) as GrammarNode[]).map(expression),
    query: (node) => expression(node as GrammarNode) as Query | Placeholder,
    orders: (nodes) => ((nodes ?? []) as GrammarNode[]).map((node) => readOrder(node, reader)),
    window: (node) => readWindow(node as GrammarNode, reader),
    place: ({ start, end }) => asked.place(start?.offset ?? 0, end?.offset ?? 0),
    between: asked.between,
    words: (start, end) =>
      tokenize(asked.between(start, end)).flatMap(({ kind, text }) => (kind === 'word' ? [text] : [])),
  };

  function expression(node: GrammarNode): Expr {
    counted.levels++;
    if (counted.levels > MAX_LEVELS)
      throw new HogqlError('The query is nested too deeply.', reader.place(node));
    const expr = cutOut(node) ?? convert(node);
    counted.levels--;
    return expr;
  }

  /** The piece that was cut out at the place of a node; dots after it read fields of its value. */
  function cutOut(node: GrammarNode): Expr | null {
    if (node.node !== 'Field' && node.node !== 'SelectQuery') return null;
    const { start } = reader.place(node);
    const cut = piece.cuts.get(start);
    if (cut === undefined) return null;
    used.add(start);
    const [, ...rest] = node.node === 'Field' ? (node.chain as string[]) : [''];
    const expr = readPiece(source, cut, counted) as Expr;
    return rest.reduce<Expr>(
      (inner, name) => ({ ...arrayAccess(inner, constant(name)), ...reader.place(node) }),
      expr,
    );
  }

  function convert(node: GrammarNode): Expr {
    if (QUERIES.has(node.node)) return readQuery(node, reader);
    const known = EXPRESSIONS[node.node];
    if (known === undefined)
      throw new HogqlError(`${nameOfNode(node)} is not supported in a query.`, reader.place(node));
    // What the text does not name, such as the null of IS NULL, has no place in it.
    return { ...known(node, reader), ...(node.start ? reader.place(node) : {}) };
  }

  const result = piece.kind === 'order' ? onlyOrder(json, reader) : expression(json);
  refuseUnused(piece, used);
  if (piece.kind === 'query' && !QUERIES.has(result.node))
    throw new HogqlError('A query must start with SELECT or WITH.', reader.place(json));
  return result;
}

function parse({ grammar, tokens }: Source, { kind }: Piece, asked: PieceText): GrammarNode {
  const answer = kind === 'expression' ? grammar.parseExpr(asked.text) : grammar.parseSelect(asked.text);
  const json = JSON.parse(answer) as GrammarNode | GrammarError;
  if (isError(json)) throw grammarErrorIn(json, asked, tokens);
  return json;
}

function isError(json: GrammarNode | GrammarError): json is GrammarError {
  return json['error'] === true;
}

function onlyOrder(json: GrammarNode, reader: Reader): OrderExpr {
  const { node, select, start, end, order_by: orders, ...others } = json;
  const [first, second] = (orders ?? []) as GrammarNode[];
  const more = Object.values(others).some(Boolean);
  if (first === undefined || second !== undefined || more)
    throw new HogqlError('Expected one expression with ASC or DESC.', {
      start: 0,
      end: reader.place({ node, start, end } as GrammarNode).end,
    });
  return readOrder(first, reader);
}

/** What the grammar's tree does not tell of must not be lost silently. */
function refuseUnused(piece: Piece, used: ReadonlySet<number>): void {
  for (const cut of piece.cuts.values())
    if (!used.has(cut.start)) throw new HogqlError('Unexpected expression.', cut);
}

function nameOfNode({ node }: GrammarNode): string {
  if (node === 'ExprCall') return 'A call of a value';
  return node.replace(/^HogQLX.*/, 'A tag').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}
