import { isJsonObject, stringifyExactly } from '../../../lib/exact-number.contract.ts';
import { isUuid, objectText, uuidOf } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import { hasColumns, type ImportFormat, type MapContext } from '../import-format.ts';
import { readAnyTime } from '../read-time.ts';
import { memberText } from '../read/json.ts';
import type { SourceRow } from '../read/rows.ts';
import { object, text } from './values.ts';

/** Columns of the list of events in PostHog's app, beside those that begin with `properties.`. */
const SHOWN_COLUMN = /^properties\.(.+)$/;

/** Events as PostHog's batch exports and `burrow export` write them, and tables of events from PostHog's app. */
export const posthog: ImportFormat = {
  imported: 'as_stored',
  recognizes: (sample) =>
    hasColumns(sample, 'uuid', 'event', 'distinct_id', 'timestamp') &&
    (sample.columns.includes('properties') || sample.columns.some((name) => SHOWN_COLUMN.test(name))),
  open: (context) => (row) => {
    const { value } = row;
    const field = fieldOf(context);
    const uuid = text(value['uuid']);
    if (uuid !== '' && !isUuid(uuid)) throw new RowProblem('The uuid is not a UUID');
    context.emit({
      event: field(value['event']),
      distinctId: field(value['distinct_id']),
      timestamp: readAnyTime(value['timestamp'], context.time),
      uuid: uuid === '' ? null : uuid.toLowerCase(),
      properties: propertiesOf(context, row),
      elementsChain: field(value['elements_chain']),
    });
  },
};

/** Exported texts of CSV that a spreadsheet would run have a quote in front. */
function fieldOf({ kind }: MapContext): (value: unknown) => string {
  if (kind !== 'csv') return (value) => (typeof value === 'string' ? value : text(value));
  return (value) => (typeof value === 'string' ? value.replace(/^'(?=[=+\-@\t\r])/, '') : '');
}

/** As they were written: no digit and no order changes. */
function propertiesOf(
  { kind }: MapContext,
  { value, text: line }: SourceRow,
): string | Record<string, unknown> {
  const properties = value['properties'];
  if (isJsonObject(properties))
    return kind === 'json' ? memberText(line!, 'properties')! : stringifyExactly(properties);
  if (typeof properties === 'string') return objectText(properties);
  if (properties !== undefined && properties !== null)
    throw new RowProblem('The properties are not a JSON object');
  return shownProperties(value);
}

function shownProperties(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(value)) {
    const own = SHOWN_COLUMN.exec(name)?.[1];
    if (own !== undefined && held !== '' && held !== null) properties[own] = held;
  }
  return properties;
}

/** Persons of PostHog's batch exports: a row for each of their distinct IDs. */
export const posthogPersons: ImportFormat = {
  imported: 'as_stored',
  recognizes: (sample) =>
    hasColumns(sample, 'person_id', 'distinct_id', 'properties') && !sample.columns.includes('event'),
  open(context) {
    const first = new Map<string, string>();
    return ({ value }) => {
      if (value['is_deleted'] === true || value['is_deleted'] === 'true')
        return context.leaveOut('Deleted person');
      const distinctId = text(value['distinct_id']);
      const personId = text(value['person_id']);
      if (personId === '') throw new RowProblem('There is no person_id');
      const timestamp = readAnyTime(value['created_at'], context.time);
      const known = first.get(personId);
      if (known === undefined) first.set(personId, distinctId);
      const properties = object(value['properties']);
      const isAlias = known !== undefined && known !== distinctId;
      context.emit({
        event: isAlias ? '$merge_dangerously' : '$set',
        distinctId: known ?? distinctId,
        timestamp,
        uuid: uuidOf(`posthog person|${personId}|${distinctId}|${text(value['person_version'])}`),
        properties: { $set: properties, ...(isAlias && { alias: distinctId }) },
      });
    };
  },
};
