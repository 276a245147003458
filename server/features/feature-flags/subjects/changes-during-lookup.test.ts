import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import type { OwnerContext } from '../../../db/owner.ts';
import { silentLog } from '../../../lib/log.ts';
import type { ParticipantContext } from '../../../warehouse/duckdb/commit-participant.ts';
import type { LookupRequest, FoundPerson, FromSubjects, ToSubjects } from './flag-subjects-messages.ts';
import { createFlagSubjectsThread, type SubjectSources } from './flag-subjects-thread.ts';

test('7.10 a change of static cohorts during a lookup is used by the next request', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  let afterRead: () => Promise<void> = async () => {};
  const watched: Pick<DuckDBConnection, 'runAndReadAll'> = {
    async runAndReadAll(sql) {
      const result = await connection.runAndReadAll(sql);
      await afterRead();
      return result;
    },
  };
  const ana = { id: 1, uuid: 'b7d7a2c1-0000-4000-8000-000000000001', properties: '{}', allIds: [1] };
  const sources = {
    persons: { find: async (names: readonly unknown[]) => names.map(() => ana) },
    groups: { find: async () => [], typesOf: () => [] },
  } as unknown as SubjectSources;
  const thread = createFlagSubjectsThread();
  await thread.open(
    { connection: watched, betweenCommits: (work: () => unknown) => work() } as unknown as ParticipantContext,
    sources,
    { prefetches: false },
  );
  const sent: FromSubjects[] = [];
  const service = await thread.serve({
    post: (message) => void sent.push(message as FromSubjects),
  } as OwnerContext);
  const tell = (message: ToSubjects) => service.post!(message as never);

  async function cohortsOfAna(id: number): Promise<number[]> {
    const asked: LookupRequest = { kind: 'asked', id, persons: [], groups: [], named: [], addresses: [] };
    asked.persons.push({ projectId: 1, distinctId: 'ana' });
    tell(asked);
    const answer = () => sent.find((message) => message.kind === 'found' && message.id === id);
    await expect.poll(answer).toBeDefined();
    const [found] = JSON.parse((answer() as { persons: string }).persons) as FoundPerson[];
    return found![4];
  }

  tell({ kind: 'cohorts', generation: 1 });
  afterRead = async () => {
    afterRead = async () => {};
    await connection.run('INSERT INTO cohort_people (project_id, cohort_id, person_id) VALUES (1, 7, 1)');
    tell({ kind: 'cohorts', generation: 2 });
  };
  await cohortsOfAna(1);
  expect(await cohortsOfAna(2)).toEqual([7]);
});
