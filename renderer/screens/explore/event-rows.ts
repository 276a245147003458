import { columnLabel, expressionOf, PERSON_COLUMN, type EventsQuery } from '../../insights/events-query.ts';
import type { TableColumn, TableSort } from '../../ui/data-table.ts';
import type { SpanMoments } from '../../ui/dates/span-moments.ts';
import { subtitleOf, titleOf } from '../../ui/person-labels.ts';

/** An event as a row, with a value for each chosen column. */
export interface EventRow {
  id: string;
  timestamp: string;
  event: string;
  distinctId: string;
  /** `null` for an event without a person. */
  personId: string | null;
  name: string;
  /** The email address or ID beside the name; empty where that is the name. */
  detail: string;
  values: Readonly<Record<string, unknown>>;
}

/** What every row needs, whatever its columns show. */
const ALWAYS = [
  'uuid',
  'timestamp',
  'event',
  'distinct_id',
  PERSON_COLUMN,
  'person.properties.name',
  'person.properties.email',
];

/** The columns that are requested: those that every row needs, and the chosen ones. */
export function selectedOf({ select }: Pick<EventsQuery, 'select'>): string[] {
  return [...ALWAYS, ...select.filter((column) => !ALWAYS.includes(column))];
}

interface PersonCell {
  display_name: string;
  id: string | null;
  distinct_id: string;
}

/** A row of the answer for `selectedOf`. */
export function rowOf(select: readonly string[], cells: readonly unknown[]): EventRow {
  const [id, timestamp, event, distinctId, person, name, email] = cells as [
    string,
    string,
    string,
    string,
    PersonCell,
    unknown,
    unknown,
  ];
  const named = {
    name: person.display_name,
    distinct_ids: [distinctId],
    properties: { ...(name !== null && { name }), ...(email !== null && { email }) },
  };
  return {
    id,
    timestamp,
    event,
    distinctId,
    personId: person.id,
    name: titleOf(named),
    detail: subtitleOf(named),
    values: Object.fromEntries(select.map((column, at) => [column, cells[at]])),
  };
}

/** The bounds of a request. A lower bound is exclusive, so that it is a microsecond before the first moment. */
export function boundsOf({ from, to }: SpanMoments): { after: string; before?: string } {
  const after = from === null ? 'all' : new Date(from - 1).toISOString().replace('Z', '999Z');
  return { after, ...(to !== null && { before: new Date(to).toISOString() }) };
}

const TIME = 'timestamp';
const ORDER = /^(.*?)(?:\s+(ASC|DESC))?$/is;

/** The column that a query is sorted by; it is named by the column's text. */
export function sortOf({ orderBy, select }: Pick<EventsQuery, 'orderBy' | 'select'>): TableSort | null {
  const [, expression = '', direction] = ORDER.exec(orderBy[0] ?? '') ?? [];
  const columnId = select.find((column) => expressionOf(column) === expressionOf(expression));
  return columnId === undefined ? null : { columnId, isDescending: direction?.toUpperCase() === 'DESC' };
}

/** The order for a sort. The server takes the name of a person with its label alone. */
export function orderOf({ columnId, isDescending }: TableSort): string {
  const expression = columnId === PERSON_COLUMN ? PERSON_COLUMN : expressionOf(columnId);
  return `${expression} ${isDescending ? 'DESC' : 'ASC'}`;
}

/** How the pages of a query follow one another: by the time of the last event, or by counting. */
export function pagingOf({ orderBy }: Pick<EventsQuery, 'orderBy'>): 'before' | 'after' | 'offset' {
  if (orderBy.length !== 1) return 'offset';
  const [, expression, direction = 'ASC'] = ORDER.exec(orderBy[0]!.trim()) ?? [];
  if (expression?.trim() !== TIME) return 'offset';
  return direction.toUpperCase() === 'DESC' ? 'before' : 'after';
}

const WIDTHS: Readonly<Record<string, string>> = { timestamp: '148px', event: '196px' };

/** The columns of the table. A column whose values are all numbers is right-aligned. */
export function tableColumns(select: readonly string[], rows: readonly EventRow[]): TableColumn[] {
  return select.map((id) => {
    const values = rows.map((row) => row.values[id]).filter((value) => value !== null && value !== undefined);
    const areNumbers = values.length > 0 && values.every((value) => typeof value === 'number');
    const width = WIDTHS[id] ?? (areNumbers ? '104px' : '168px');
    return {
      id,
      label: columnLabel(id),
      isSortable: true,
      ...(id !== PERSON_COLUMN && { width }),
      ...(areNumbers && { align: 'right' as const }),
    };
  });
}
