import type { FlagDetails } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import type { PersonJson as Person } from '../../../server/features/persons/persons.contract.ts';
import { explainFlags } from '../../api/flag-explanations.api.ts';
import { askQuery } from '../../api/query.api.ts';

type FlagAnswer = boolean | string | null;

/** What a flag answers a person now, and what an app last said that it answered. */
export interface PersonFlag {
  key: string;
  /** Null: there is no such flag any more. */
  id: number | null;
  now: FlagAnswer;
  /** Why it answers so. */
  reason: string;
  sent: { value: FlagAnswer; at: string } | null;
}

const SENT = `SELECT
  properties.$feature_flag AS flag,
  argMax(properties.$feature_flag_response, timestamp) AS response,
  max(timestamp) AS at
FROM events
WHERE event = '$feature_flag_called' AND person_id = {person}
GROUP BY flag
ORDER BY at DESC
LIMIT 200`;

/** The flags of a person, in some groups (key by type), by name; those that only an app remembers come last. */
export async function readPersonFlags(
  projectId: number,
  { uuid, distinct_ids: [distinctId = ''] }: Pick<Person, 'uuid' | 'distinct_ids'>,
  groups: Readonly<Record<string, string>>,
): Promise<PersonFlag[]> {
  const nothing = { personProperties: {}, groupProperties: {}, ip: '', anonDistinctId: '', deviceId: '' };
  const [explained, called] = await Promise.all([
    explainFlags(projectId, { ...nothing, distinctId, groups }),
    askQuery(projectId, { kind: 'HogQLQuery', query: SENT, values: { person: uuid } }),
  ]);
  return personFlags(Object.values(explained.answer.flags), called.results as [string, unknown, string][]);
}

/** Brings together what flags answer and what was sent: rows of flag, response and time. */
export function personFlags(
  flags: readonly FlagDetails[],
  sent: readonly (readonly [flag: string, response: unknown, at: string])[],
): PersonFlag[] {
  const last = new Map(sent.map(([flag, response, at]) => [flag, { value: answerOf(response), at }]));
  const known = flags
    .map(({ key, enabled, variant, reason, metadata }) => ({
      key,
      id: metadata.id,
      now: variant ?? enabled,
      reason: reason.description ?? '',
      sent: last.get(key) ?? null,
    }))
    .toSorted((one, other) => one.key.localeCompare(other.key));
  const keys = new Set(known.map(({ key }) => key));
  const gone = [...last]
    .filter(([key]) => key !== null && !keys.has(key))
    .map(([key, its]) => ({
      key,
      id: null,
      now: null,
      reason: 'No flag with this key is active',
      sent: its,
    }));
  return [...known, ...gone];
}

/** A property may be read as text, also where an app sent `true`. */
function answerOf(response: unknown): FlagAnswer {
  if (response === true || response === 'true') return true;
  if (response === false || response === 'false') return false;
  return typeof response === 'string' ? response : null;
}
