import { expect, test } from 'vitest';
import type { AskOptions } from '../support/ask-hogql.ts';
import { openTestApp } from '../support/test-app.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';

const openClickhouse = shareClickhouse();

const NAMES: readonly string[] = ['Grown ups', `It's "5"`, '5', 'Nobody'];
const MIN_AGES = [26, 30, 22, 100];

test('cohorts by name and by id have the persons of ClickHouse', async (context) => {
  const clickhouse = await openClickhouse(context);
  const app = await openTestApp();
  await sendJudgedEvents(app);
  const ids: number[] = [];
  for (const [at, name] of NAMES.entries()) {
    const made = await app.ask('/api/projects/1/cohorts/', {
      method: 'POST',
      body: {
        name,
        filters: {
          properties: {
            type: 'AND',
            values: [{ type: 'person', key: 'age', operator: 'gte', value: MIN_AGES[at]! }],
          },
        },
      },
    });
    ids.push(made.json.id as number);
  }
  const options: AskOptions = {
    propertyType: JUDGED_TYPES,
    cohortIds: () => ids,
    cohort(idOrName) {
      const at = typeof idOrName === 'number' ? ids.indexOf(idOrName) : NAMES.indexOf(idOrName);
      if (at === -1) return null;
      return {
        id: ids[at]!,
        sql: `SELECT id FROM persons WHERE project_id = 1 AND json_extract(properties, '$.age')::INTEGER >= ${MIN_AGES[at]!}`,
        params: {},
      };
    },
  };
  await loadProject(clickhouse, app.store, DATABASE, options);
  const ask = (query: string) => askBoth({ store: app.store, clickhouse }, query, options);
  for (const [at, name] of NAMES.entries()) {
    const text = `'${name.replaceAll("'", "\\'")}'`;
    for (const cohort of [text, String(ids[at])]) {
      for (const query of [
        `select count(), uniq(person_id) from events where person_id in cohort ${cohort}`,
        `select count() from events where person_id not in cohort ${cohort}`,
        `select event, countIf(person_id in cohort ${cohort}) from events group by event order by event`,
        `select properties.email from persons where id in cohort ${cohort} order by properties.email`,
        `select person.properties.email, person.id in cohort ${cohort} from events order by timestamp limit 20`,
        `select count() from (select person_id as p from events) where p in cohort ${cohort}`,
      ]) {
        expect.soft(await ask(query), query).toBeNull();
      }
    }
  }
});
