import { useTimeoutFn } from '@vueuse/core';
import { onScopeDispose, shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import type { LiveEvent } from '../../api/live.api.ts';
import { titleOf } from '../../ui/person-labels.ts';

/** What a person is called, and where its page is. */
export interface NamedOne {
  name: string;
  personId: string;
}

/** Milliseconds that distinct ids are collected before they are looked up together. */
const PAUSE = 200;
/** Distinct ids of one request. */
const MOST = 200;
/** Names that are kept; beyond them it begins again, as events come without end. */
const KEPT = 5_000;

/** The names of the persons of the events in sight. Without an answer an event shows its distinct id. */
export function usePersonNames(projectId: number) {
  const names = shallowRef<ReadonlyMap<string, NamedOne>>(new Map());
  /** Looked up, or about to be. */
  const asked = new Set<string>();
  /** Events after which a person may be called something else. */
  const seen = new Set<string>();
  let wanted: string[] = [];
  let isDone = false;
  const { start } = useTimeoutFn(() => void lookUp(), PAUSE, { immediate: false });

  function want(events: readonly LiveEvent[]): void {
    for (const event of events) {
      if (renames(event) && !seen.has(event.id)) {
        seen.add(event.id);
        asked.delete(event.distinct_id);
      }
      if (asked.has(event.distinct_id)) continue;
      asked.add(event.distinct_id);
      wanted.push(event.distinct_id);
    }
    if (wanted.length > 0) start();
  }

  async function lookUp(): Promise<void> {
    const ids = wanted.splice(0, MOST);
    if (wanted.length > 0) start();
    try {
      const { results } = await api.post('P/persons/batch_by_distinct_ids/', {
        projectId,
        body: { distinct_ids: ids },
      });
      if (isDone) return;
      const found = Object.entries(results).map(
        ([id, person]) => [id, { name: titleOf(person), personId: person.uuid }] as const,
      );
      if (names.value.size > KEPT) asked.clear();
      const kept = names.value.size > KEPT ? [] : names.value;
      names.value = new Map([...kept, ...found]);
    } catch {
      // They are looked up with the next event of theirs.
      for (const id of ids) asked.delete(id);
    }
  }

  onScopeDispose(() => {
    isDone = true;
    wanted = [];
  });
  return { names, want };
}

function renames({ event, properties }: LiveEvent): boolean {
  return event === '$identify' || event === '$create_alias' || '$set' in properties;
}
