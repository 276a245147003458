import type { Store } from '../../server/db/client.ts';
import type { StoredEvent } from './filter-model.ts';

/** Stores events under a project of their own, with their persons and groups; each is called by its place in the list. */
export async function insertFiltered(
  store: Store,
  projectId: number,
  list: readonly StoredEvent[],
): Promise<void> {
  for (const [at, event] of list.entries()) {
    const id = projectId * 1000 + at * 2;
    const objectOf = (entries: [string, string | undefined][]): string =>
      `{${entries.flatMap(([key, json]) => (json === undefined ? [] : [`"${key}": ${json}`])).join(',')}}`;
    const hasGroup = event.group !== 'none';
    const properties = objectOf([
      ['plan', event.plan?.json],
      ['$browser', event.$browser?.json],
      ['$group_2', hasGroup ? `"g${at}"` : undefined],
    ]);
    await store.db.run(
      `INSERT INTO events_recent VALUES ($seq, $projectId, now()::TIMESTAMP, uuid(), $event, 'd', $personId, $properties,
         NULL, now()::TIMESTAMP, false, false)`,
      {
        seq: id,
        projectId,
        event: String(at),
        personId: event.isMerged ? id + 1 : id,
        properties,
      },
    );
    if (event.isMerged) {
      await store.db.run('INSERT INTO person_merges VALUES ($version, $projectId, $old, $id)', {
        version: id,
        projectId,
        old: id + 1,
        id,
      });
    }
    if (event.person !== 'none') {
      await store.db.run(
        `INSERT INTO persons_settled VALUES ($projectId, $id, uuid(), now()::TIMESTAMP, $properties, '{}', true)`,
        { projectId, id, properties: objectOf([['plan', event.person?.json]]) },
      );
    }
    if (event.group !== 'none') {
      await store.db.run(
        `INSERT INTO groups_settled VALUES ($projectId, 2, $key, now()::TIMESTAMP, $properties)`,
        { projectId, key: `g${at}`, properties: objectOf([['plan', event.group?.json]]) },
      );
    }
    if (event.isSettled) {
      await store.db.transaction(async (tx) => {
        await tx.run('INSERT INTO events SELECT * FROM recent_events');
        await tx.run('DELETE FROM events_recent');
      });
    }
  }
}
