import { isJsonObject } from '../../../lib/exact-number.contract.ts';
import { isUuid, uuidOf, type MappedEvent } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import type { FileSample, ImportFormat } from '../import-format.ts';
import type { ColumnMapping, ColumnRole } from '../imports.contract.ts';
import { readTime } from '../read-time.ts';
import { REASON_COLUMN } from '../read/csv.ts';
import { createPairs, createSessions } from './people.ts';
import { known, object, text } from './values.ts';

/** Any table or lines of objects, by what each of the columns is. */
export const custom: ImportFormat = {
  imported: 'located',
  recognizes: ({ kind }) => kind !== 'lines',
  open(context) {
    const { settings, kind } = context;
    const identify = createPairs(context, 'file');
    const sessionOf = createSessions('file');
    const byRole = new Map<ColumnRole, string>();
    const others: ColumnMapping[] = [];
    for (const column of settings.columns) {
      if (SINGLE.has(column.becomes)) byRole.set(column.becomes, column.column);
      else if (column.becomes !== 'ignore') others.push(column);
    }
    const isTyped = kind === 'csv';
    return ({ value }) => {
      const field = (role: ColumnRole): unknown => at(value, byRole.get(role));
      const event = text(field('event')) || settings.event_name;
      const userId = known(field('distinct_id'));
      const anonymousId = known(field('anonymous_id'));
      const timestamp = readTime(field('timestamp'), context.time);
      if (event === '') throw new RowProblem('There is no event name');
      if (userId === '' && anonymousId === '') throw new RowProblem('There is no distinct ID');
      identify(userId, anonymousId, timestamp);
      const properties: Record<string, unknown> = { ...object(field('properties')) };
      const set: Record<string, unknown> = {};
      for (const { column, becomes, name } of others) {
        const held = at(value, column);
        if (held === undefined || held === null || held === '') continue;
        const target = becomes === 'person_property' ? set : properties;
        put(target, name || column, isTyped ? typed(String(held)) : held);
      }
      const session = known(field('session_id'));
      if (session !== '')
        properties['$session_id'] = isSession(session) ? session : sessionOf(session, null, timestamp);
      if (session !== '' && !isSession(session)) properties['session_id'] = session;
      if (Object.keys(set).length > 0) properties['$set'] = { ...object(properties['$set']), ...set };
      const id = known(field('uuid'));
      const mapped: MappedEvent = {
        event,
        distinctId: userId || anonymousId,
        timestamp,
        uuid: id === '' ? null : isUuid(id) ? id.toLowerCase() : uuidOf(`file|${id}`),
        properties,
      };
      context.emit(mapped);
    };
  },
};

/** Roles that one column can have. */
const SINGLE: ReadonlySet<ColumnRole> = new Set([
  'event',
  'distinct_id',
  'anonymous_id',
  'timestamp',
  'uuid',
  'session_id',
  'properties',
]);

/** A member, also one inside of others: `user.id`. */
function at(value: Readonly<Record<string, unknown>>, column: string | undefined): unknown {
  if (column === undefined) return undefined;
  if (column in value || !column.includes('.')) return value[column];
  let held: unknown = value;
  for (const part of column.split('.')) held = isJsonObject(held) ? held[part] : undefined;
  return held;
}

function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name.replace(/^properties\./, '')] = value;
}

/** A field of a table: IDs and phone numbers stay texts, as a number would lose their zeros or digits. */
function typed(field: string): unknown {
  const plain = field.trim();
  if (plain === 'true' || plain === 'false') return plain === 'true';
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(plain) && plain.replace(/\D/g, '').length <= 15)
    return Number(plain);
  return field;
}

function isSession(id: string): boolean {
  return isUuid(id) && id[14] === '7';
}

/** Names of columns by what they mean, the likelier first: what happened is preferred to when it arrived. */
const HEADERS: readonly [ColumnRole, string][] = [
  [
    'timestamp',
    'timestamp eventtime eventtimestamp occurredat time ts datetime @timestamp when createdat created date eventdate loggedat senton sentat receivedat servertime _time',
  ],
  ['event', 'event eventname eventtype action activity name type key verb'],
  [
    'distinct_id',
    'distinctid userid uid user customerid customer accountid memberid personid identity externalid visitorid clientid username login email',
  ],
  ['anonymous_id', 'anonymousid anonid deviceid cookieid userpseudoid'],
  ['uuid', 'uuid eventid messageid insertid $insertid requestid id'],
  ['session_id', '$sessionid sessionid visitid'],
  ['properties', 'properties props eventproperties attributes params payload metadata data'],
];

/** What each column may be, by its name, or as the only one with dates; all others are properties. */
export function guessColumns(sample: FileSample): ColumnMapping[] {
  const plain = new Map(
    sample.columns.map((column) => [column.toLowerCase().replaceAll(/[\s_-]/g, ''), column]),
  );
  const roles = new Map<string, ColumnRole>();
  for (const [role, headers] of HEADERS) {
    const column = headers
      .split(' ')
      .map((header) => plain.get(header))
      .find((found) => found !== undefined && !roles.has(found) && fits(role, found, sample));
    if (column !== undefined) roles.set(column, role);
  }
  const dated = sample.columns.filter((column) => !roles.has(column) && hasDates(column, sample));
  if (![...roles.values()].includes('timestamp') && dated.length === 1) roles.set(dated[0]!, 'timestamp');
  return sample.columns.map((column) => ({
    column,
    becomes: column === REASON_COLUMN ? 'ignore' : (roles.get(column) ?? 'property'),
    name: '',
  }));
}

/** Whether every value of the first rows begins with a date that is written out. */
function hasDates(column: string, { rows }: FileSample): boolean {
  const held = rows.map(({ value }) => String(value[column] ?? '')).filter((one) => one !== '');
  return (
    held.length > 0 && held.every((one) => /^(\d{4}[-/]\d\d[-/]\d\d|\d\d?[./-]\d\d?[./-]\d{4})/.test(one))
  );
}

/** Properties are objects. */
function fits(role: ColumnRole, column: string, { rows }: FileSample): boolean {
  if (role !== 'properties') return true;
  return rows.some(({ value }) => isJsonObject(value[column]) || /^\s*\{/.test(String(value[column] ?? '')));
}
