import type { Param } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';
import { eventPropertyText, type Bind, type CompiledFilter } from '../property-filters/index.ts';
import type { EventValueJson } from './event-values.contract.ts';

/** Columns of an event whose values can be requested; no others hold values to choose from. */
export const COLUMNS = ['event', 'distinct_id', 'uuid', 'elements_chain'] as const;
const MAX_VALUES = 10;

export interface ValuesWanted {
  from: { property: string } | { column: (typeof COLUMNS)[number] };
  /** Only values that contain this, whatever the case; null: the most frequent ones. */
  containing: string | null;
  /** Only of events of these names; empty: of all. */
  eventNames: readonly string[];
  /** Unix microseconds. */
  since: number;
  /** Unix microseconds, exclusive. */
  until: number;
  /** Over the columns of events that are called `e`. */
  filter: CompiledFilter;
}

/** Distinct values that events had, lists taken apart; at most ten. With a text to contain the shortest come first. */
export function listEventValues(
  asked: ReadStatements,
  projectId: number,
  wanted: ValuesWanted,
): Promise<EventValueJson[]> {
  const { from, containing, eventNames, since, until, filter } = wanted;
  const params: Record<string, Param> = { projectId, since, until, ...filter.params };
  const bind: Bind = (value) => {
    const name = `wanted${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  };
  const text = 'property' in from ? eventPropertyText('e', from.property, bind) : `e.${from.column}::VARCHAR`;
  if (eventNames.length > 0) params['eventNames'] = eventNames;
  if (containing !== null) params['containing'] = containing;
  return asked.all(
    `WITH seen AS (
       SELECT ${text} AS text, count(*) AS events FROM all_events e
       WHERE project_id = $projectId AND timestamp >= make_timestamp($since) AND timestamp < make_timestamp($until)
         ${eventNames.length > 0 ? 'AND list_contains($eventNames, event)' : ''} AND ${filter.sql} AND text IS NOT NULL
       GROUP BY 1
     ), single AS (
       SELECT unnest(CASE WHEN starts_with(text, '[') THEN coalesce(TRY(json_extract_string(text, '$[*]')), [text])
         ELSE [text] END) AS name, events FROM seen
     )
     SELECT name FROM single
     WHERE name IS NOT NULL ${containing === null ? '' : 'AND contains(lower(name), lower($containing))'}
     GROUP BY name ORDER BY ${containing === null ? 'sum(events) DESC' : 'length(name)'}, name LIMIT ${MAX_VALUES}`,
    params,
  );
}

/** The names of all events that developers chose: those of SDKs begin with a dollar sign. */
export function listCustomEventNames(asked: ReadStatements, projectId: number): Promise<EventValueJson[]> {
  return asked.all(
    `SELECT DISTINCT event AS name FROM all_events WHERE project_id = $projectId AND NOT starts_with(event, '$')
     ORDER BY name`,
    { projectId },
  );
}
