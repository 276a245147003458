import type { Columns, Expr, Field, SelectQuery } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { didYouMean } from '../../nearest.ts';
import { printHogql } from '../hogql.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import type { Source } from '../../resolve/source.ts';

/** One column of a SELECT. */
export interface Item {
  readonly name: string;
  readonly at: Expr;
  /** Set for a column of `*`. */
  readonly source?: Source;
  /** Prints the column; a key of the grouping is printed once. */
  print(): Printed;
}

/** The columns of a SELECT, stars taken apart. */
export function selectItems(node: SelectQuery, scope: Scope): Item[] {
  return node.select.flatMap((expr) => {
    if (expr.node === 'Columns') return columnsItems(expr, scope);
    if (expr.node === 'Field' && expr.chain.at(-1) === '*')
      return starItems(expr, expr.chain.slice(0, -1), [], scope);
    return [item(nameOf(expr), expr, scope)];
  });
}

function item(name: string, expr: Expr, scope: Scope): Item {
  const { select } = scope;
  let known: Printed | null = null;
  const print = (): Printed =>
    expr.node === 'Alias' && select.aliases.get(expr.alias) === expr.expr
      ? select.printer.alias(expr.alias, scope)
      : select.printer.expression(expr, scope);
  return {
    name,
    at: expr,
    print() {
      // What it is grouped by is printed before; the columns in it are looked at again only when it is not a key.
      if (known !== null && select.groupKeys.has(known.sql)) return known;
      known = print();
      return known;
    },
  };
}

/** What a column is called: its alias, the last part of a name, or the expression itself. */
function nameOf(expr: Expr): string {
  if (expr.node === 'Alias') return expr.alias;
  if (expr.node === 'Field') return expr.chain.at(-1)!;
  if (expr.node === 'ArrayAccess' && expr.index.node === 'Constant' && typeof expr.index.value === 'string') {
    return expr.index.value;
  }
  return printHogql(expr);
}

function starItems(at: Expr, of: readonly string[], exclude: readonly string[], scope: Scope): Item[] {
  const { sources } = scope.select;
  const wanted =
    of.length === 0
      ? sources.filter((source) => !source.isHidden)
      : sources.filter((source) => source.name === of[0]);
  if (of.length > 1 || wanted.length === 0) {
    const names = sources.flatMap((source) => source.name ?? []);
    return refuse(
      of.length === 0
        ? 'The query has no table to select columns from.'
        : `Unknown table "${of.join('.')}".${didYouMean(of.join('.'), names)}`,
      at,
    );
  }
  const seen = new Set<string>();
  return wanted.flatMap((source) =>
    source.star().flatMap((name) => {
      const isRepeated = scope.select.shared.has(name) && seen.has(name);
      seen.add(name);
      return isRepeated || exclude.includes(name) ? [] : [sourceItem(name, at, source, scope)];
    }),
  );
}

function sourceItem(name: string, at: Expr, source: Source, scope: Scope): Item {
  const { select } = scope;
  return {
    name,
    at,
    source,
    print() {
      const found = source.find(name);
      if (found === null || found.kind === 'source') return refuse(`Unknown column "${name}".`, at);
      if (!select.groupKeys.has(found.printed.sql)) select.loose.push(at);
      return found.printed;
    },
  };
}

function columnsItems(node: Columns, scope: Scope): Item[] {
  switch (node.kind) {
    case 'all':
      return starItems(node, [], node.exclude, scope);
    case 'list':
      return node.columns.map((expr) => item(nameOf(expr as Field), expr, scope));
    case 'regex':
      return refuse('COLUMNS with a regular expression is not supported: list the columns.', node);
  }
}
