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

/** The expression of a column, without its label: an SQL comment that ends the last line. */
export function withoutLabel(text: string): string {
  const lineStart = Math.max(...LINE_ENDS.map((end) => text.lastIndexOf(end))) + 1;
  const label = text.indexOf('--', lineStart);
  return (label < 0 ? text : text.slice(0, label)).trim();
}

const LINE_ENDS = ['\n', '\r', '\u2028', '\u2029'];

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

const BY_DISPLAY_NAME = /^(-\s*)?person_display_name(?:\s*--\s*Person)?(?:\s+(ASC|DESC))?$/i;

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
        const isNegative = byName[1] !== undefined;
        const isDescending = byName[2]?.toUpperCase() === 'DESC';
        return order(displayName(name, context), isNegative === isDescending ? 'ASC' : 'DESC');
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

/** What the rows of a table are. */
type RowNoun = 'event' | 'person' | 'group' | 'session';

/**
 * What aggregates are computed for: the other columns but constants. Throws invalid_input for one that makes an object of a
 * row.
 */
export function groupsOf(columns: readonly ShownColumn[], rows: RowNoun): Expr[] {
  const object = columns.find(({ read }) => read !== undefined);
  if (object !== undefined) {
    const [what, verb] =
      rows === 'event'
        ? ['an expression per event', 'combined with aggregations']
        : [`a whole ${rows}`, 'selected beside an aggregate'];
    throw fail('invalid_input', { detail: `'${object.name}' is ${what} and cannot be ${verb}.` });
  }
  return columns.flatMap(({ exprs }) =>
    exprs.filter((expr) => expr.node !== 'Constant' && !isAggregate(expr)),
  );
}

/** The ids alone of the actors behind a point, as IN takes them. */
export function actorIds({ select: actors }: ActorsSelect): Query {
  return select({ select: [field('actor_id')], from: from(actors, 'actors') });
}
