import { fail } from '../../errors.ts';
import { parseExactJson } from '../../http/exact-json.contract.ts';
import type { Value } from '../../db/db.ts';
import type { Expr, OrderExpr, Query } from '../../hogql/ast.ts';
import type { Column, Table, KindContext, ActorsSelect } from './query-kind.ts';
import { findFunction } from '../../hogql/functions/find-function.ts';
import { call, constant, field, from, order, select } from '../../hogql/build.ts';
import { shownValues } from '../../hogql/shown-value.ts';
import { NAME_PROPERTIES } from '../persons/index.ts';

/** A column of a table result, computed from one or several expressions. */
export interface ShownColumn {
  readonly name: string;
  readonly exprs: readonly Expr[];
  /** Of several values the object that they make; left out: the value of the only expression. */
  readonly read?: (values: readonly Value[]) => unknown;
  /** Its object has moments in the project's time zone; left out: in UTC, as objects of the management API. */
  readonly inProjectTime?: true;
}

/** A label follows the expression of a column as an SQL comment. */
const LABEL = /--.*$/;

/** The expression of a column, without its label. */
export function withoutLabel(text: string): string {
  return text.replace(LABEL, '').trim();
}

/** Everything that the columns need, in their order. */
export function exprsOf(columns: readonly ShownColumn[]): Expr[] {
  return columns.flatMap(({ exprs }) => exprs);
}

/** The rows as the columns show them; what a row holds beyond them is left out. */
export function shownRows(
  columns: readonly ShownColumn[],
  { rows, columns: types }: Pick<Table, 'rows' | 'columns'>,
  timezone: string,
): unknown[][] {
  const shown = shownValues(
    rows,
    types.map((column) => column.shown),
    timezone,
  ) as readonly (readonly Value[])[];
  return rows.map((row, place) => {
    let at = 0;
    return columns.map(({ exprs, read, inProjectTime = read === undefined }) => {
      const values = (inProjectTime ? shown[place]! : row).slice(at, (at += exprs.length));
      return read === undefined ? values[0] : read(values);
    });
  });
}

/** Types of the columns as ClickHouse writes them; an object is a tuple. */
export function shownTypes(columns: readonly ShownColumn[], types: readonly Column[]): string[] {
  let at = 0;
  return columns.map(({ exprs }) => {
    const own = types.slice(at, (at += exprs.length)).map(({ type }) => type);
    return own.length === 1 ? own[0]! : `Tuple(${own.join(', ')})`;
  });
}

/** The properties of an event or person as an object; the store holds their JSON. */
export function objectOf(json: Value | undefined): Record<string, unknown> {
  return typeof json === 'string' ? (parseExactJson(json) as Record<string, unknown>) : {};
}

/** Where the rows of a table have what a person is called by. */
interface DisplayName {
  /** The chain of the properties. */
  readonly properties: readonly string[];
  /** What is shown where no property says anything. */
  readonly fallback: Expr;
}

const BY_DISPLAY_NAME = /^person_display_name(?:\s*--\s*Person)?(?:\s+(ASC|DESC))?$/i;

/**
 * Orders as tables name them: `timestamp DESC`, with a leading minus, `-timestamp`, or `person_display_name`, with which
 * PostHog's lists send its label. Throws invalid_input.
 */
export function readOrders(
  texts: readonly string[],
  context: KindContext,
  name: DisplayName,
): Promise<OrderExpr[]> {
  return Promise.all(
    texts.map(async (text) => {
      const byName = BY_DISPLAY_NAME.exec(text.trim());
      if (byName !== null) {
        return order(displayName(name, context), byName[1]?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC');
      }
      const descending = /^\s*-\s*([\w$.]+)\s*$/.exec(text)?.[1];
      return await context.parse.order(descending === undefined ? text : `${descending} DESC`);
    }),
  );
}

function displayName({ properties, fallback }: DisplayName, { nameProperties }: KindContext): Expr {
  const names = nameProperties.length > 0 ? nameProperties : NAME_PROPERTIES;
  const texts = names.map((one) =>
    call('nullIf', call('trim', call('toString', field(...properties, one))), constant('')),
  );
  return call('coalesce', ...texts, call('toString', fallback));
}

const DEFAULT_ROWS = 100;

/** Returns the requested page of a table: by default the first 100 rows, in an export all rows. */
export function pageOf(
  { limit, offset }: { limit?: number | null | undefined; offset?: number | null | undefined },
  { isExport }: Pick<KindContext, 'isExport'>,
): { limit?: number; offset: number } {
  const rows = limit ?? (isExport ? undefined : DEFAULT_ROWS);
  return { ...(rows === undefined ? {} : { limit: rows }), offset: offset ?? 0 };
}

/** Whether an expression makes one value of many rows. */
export function isAggregate(expr: Expr): boolean {
  return holds(expr);
}

function holds(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if (Array.isArray(part)) return part.some(holds);
  const { node, name } = part as { node?: string; name?: string };
  // A query of its own, and a window over rows that stay, aggregate nothing here.
  if (node === 'SelectQuery' || node === 'SelectSetQuery' || node === 'WindowFunction') return false;
  if (node === 'Call' && findFunction(name!)?.aggregate === true) return true;
  return Object.values(part).some(holds);
}

/** What aggregates are computed for: the other columns. Throws invalid_input for one that makes an object of a row. */
export function groupsOf(columns: readonly ShownColumn[]): Expr[] {
  const object = columns.find(({ read }) => read !== undefined);
  if (object !== undefined) {
    const detail = `'${object.name}' is an expression per event and cannot be combined with aggregations.`;
    throw fail('invalid_input', { detail });
  }
  return columns.flatMap(({ exprs }) => exprs.filter((expr) => !isAggregate(expr)));
}

/** The ids alone of the actors behind a point, as IN takes them. */
export function actorIds({ select: actors }: ActorsSelect): Query {
  return select({ select: [field('actor_id')], from: from(actors, 'actors') });
}
