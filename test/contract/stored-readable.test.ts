// @module-tag deep
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { annotationBody } from '../../server/features/annotations/annotations.contract.ts';
import { BEHAVIOURS, cohortTree } from '../../server/features/cohorts/kinds/cohort-tree.contract.ts';
import { updateDashboardBody } from '../../server/features/dashboards/dashboards.contract.ts';
import {
  createEventDefinitionBody,
  updatePropertyDefinitionBody,
} from '../../server/features/definitions/definitions.contract.ts';
import { createFeatureBody } from '../../server/features/early-access-features/early-access-features.contract.ts';
import { sentFilters } from '../../server/features/feature-flags/sent-filters.ts';
import { createInsightVariableBody } from '../../server/features/insight-variables/insight-variables.contract.ts';
import { QUERY_KINDS } from '../../server/features/query/query-kinds.ts';
import { shareSettings } from '../../server/features/sharing/sharing.contract.ts';
import { createSurveyBody } from '../../server/features/surveys/surveys.contract.ts';
import { ODD_TEXTS, writtenOf } from '../support/arbitrary-of-schema.ts';
import { SIGNUPS, storeInsight } from '../support/insights.ts';
import { sendEvents } from '../support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp, type TestResponse } from '../support/test-app.ts';

const P = '/api/projects/1/';
type Words = Parameters<typeof writtenOf>[1];

/** Values by the names of fields, where the schema alone would hardly ever hit one that is accepted. */
const WORDS: Words = {
  operator: ['exact', 'is_not', 'regex', 'between', 'is_date_after', 'gt', 'in', 'is_set', 'semver_gt'],
  key: ['plan', 'email', '$virt_x', '', '1'],
  value: ['a', '(', '-7d', '2026-13-45', 3, [1, 2], [], true, null, 1, ...ODD_TEXTS],
  values: [['pro'], ['('], [], 'pro', null],
  variant: ['a', null],
  deleted: [false],
};
/** Half of the moments are ones that calendars or the database have no place for. */
const MOMENTS = ['2026-01-02', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '+275760-09-13', null];

/** What SQL says of an empty list, which fits other SQL: `event in {variables.any}`. */
const EMPTY_LIST = 'An empty list is only allowed after IN.';

let app: TestApp;
afterEach(() => {
  expect(app.errors).toEqual([]);
});

const send = (method: string, path: string, body: unknown): Promise<TestResponse> =>
  app.ask(path, { method, body });

/** Everything that a page, an SDK or the console reads; each has to answer, whatever was stored. */
async function readAll(paths: readonly string[], context: unknown): Promise<void> {
  for (const path of paths) {
    const isManagement = path.startsWith(P);
    const answer = await app.ask(path, isManagement ? {} : { key: null });
    expect(answer.status, `${path} after ${JSON.stringify(context)}: ${answer.text.slice(0, 300)}`).toBe(200);
  }
}

const SDK_PATHS = [
  `/api/surveys/?token=${TEST_TOKEN}`,
  `/array/${TEST_TOKEN}/config`,
  `/array/${TEST_TOKEN}/config.js`,
  `/api/early_access_features/?token=${TEST_TOKEN}`,
];

async function evaluateFlags(context: unknown): Promise<void> {
  const person = { plan: 'a', email: 'a@shop.example' };
  for (const path of ['/flags/?v=2', '/decide/?v=3']) {
    const body = { token: TEST_TOKEN, distinct_id: 'lin', person_properties: person };
    const { status, json } = await app.ask(path, { method: 'POST', key: null, body });
    expect([status, json.errorsWhileComputingFlags], JSON.stringify(context)).toEqual([200, false]);
  }
  const local = await app.ask('/flags/definitions?send_cohorts=true');
  expect(local.status, JSON.stringify(context)).toBe(200);
}

/** The comparison that posthog-js brings along. */
const { matchPropertyFilters } = createRequire(createRequire(import.meta.url).resolve('posthog-js'))(
  '@posthog/core/surveys',
) as { matchPropertyFilters: (filters: unknown, properties: object) => boolean };

/** Runs posthog-js's own comparison on the events of a survey, as a page does for each event. */
function activate({ conditions }: any): void {
  for (const list of [conditions?.events, conditions?.cancelEvents]) {
    for (const { propertyFilters } of list?.values ?? []) {
      const properties = Object.fromEntries(Object.keys(propertyFilters ?? {}).map((key) => [key, 'pro']));
      matchPropertyFilters(propertyFilters, properties);
    }
  }
}

async function expectReadable<T>(
  values: fc.Arbitrary<T>,
  {
    write,
    read,
    runs = 60,
  }: {
    write: (value: T) => Promise<TestResponse>;
    read: (answer: any, value: T) => Promise<void>;
    runs?: number;
  },
): Promise<void> {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const answer = await write(value);
      if (answer.status === 400) return;
      expect([200, 201], `${JSON.stringify(value)}: ${answer.text.slice(0, 300)}`).toContain(answer.status);
      accepted++;
      await read(answer.json, value);
      expect(app.errors, JSON.stringify(value)).toEqual([]);
    }),
    { numRuns: runs },
  );
  expect(accepted).toBeGreaterThan(5);
}

const written = <T>(schema: z.ZodType<T>, words: Words = {}) =>
  writtenOf(schema, { ...WORDS, ...words }) as fc.Arbitrary<Record<string, unknown>>;

describe('everything accepted on write can be read by every reader', () => {
  test('filters of flags', async () => {
    app = await openTestApp();
    await sendEvents(app, [{ event: 'visit', distinct_id: 'lin', properties: { $set: { plan: 'a' } } }]);
    const { id } = (
      await send('POST', `${P}feature_flags/`, { key: 'any', _should_create_usage_dashboard: false })
    ).json;
    await expectReadable(
      written(sentFilters, {
        type: ['person', 'cohort', 'flag', 'group'],
        variants: [[], [{ key: 'a', rollout_percentage: 100 }, { key: 'b' }]],
        payloads: [{}, { true: '1' }, { true: { a: 1 } }, { a: '{"b":[]}' }, { true: '{' }],
      }),
      {
        runs: 150,
        write: (filters) => send('PATCH', `${P}feature_flags/${id}/`, { filters }),
        async read(_, filters) {
          await evaluateFlags(filters);
          await readAll(
            [
              `${P}feature_flags/`,
              `${P}feature_flags/${id}/activity/`,
              `${P}feature_flags/${id}/status/`,
              `${P}feature_flags/evaluation_reasons/?distinct_id=lin`,
              `${P}search/?q=any`,
              ...SDK_PATHS,
            ],
            filters,
          );
        },
      },
    );
  }, 240_000);

  test('rules of cohorts, by lists of persons, queries and flags', async () => {
    app = await openTestApp();
    await sendEvents(app, [{ event: 'visit', distinct_id: 'lin', properties: { $set: { plan: 'a' } } }]);
    const { id } = (await send('POST', `${P}cohorts/`, { name: 'Any' })).json;
    const groups = [{ properties: [{ key: 'id', type: 'cohort', value: id }], rollout_percentage: 100 }];
    await expectReadable(
      written(cohortTree, {
        event_type: ['events'],
        seq_event_type: ['events'],
        value: [...BEHAVIOURS, 'a', '(', '-7d', ['a', 'b'], 3, id, null],
      }),
      {
        runs: 100,
        write: (properties) => send('PATCH', `${P}cohorts/${id}/`, { filters: { properties } }),
        async read(cohort, properties) {
          expect(cohort.errors_calculating, JSON.stringify(properties)).toBe(0);
          const query = {
            kind: 'TrendsQuery',
            series: [{ kind: 'EventsNode' }],
            properties: [{ type: 'cohort', key: 'id', value: id }],
          };
          const asked = await send('POST', `${P}query/`, { query });
          expect([asked.status, JSON.stringify(properties)]).toEqual([200, expect.anything()]);
          await readAll(
            [`${P}cohorts/`, `${P}cohorts/${id}/persons/`, `${P}persons/?cohort=${id}`, `${P}search/?q=any`],
            properties,
          );
          const flag = await send('POST', `${P}feature_flags/`, {
            key: `of-${Math.random().toString(36).slice(2)}`,
            filters: { groups },
            _should_create_usage_dashboard: false,
          });
          if (flag.status === 201) await evaluateFlags(properties);
          if (flag.status === 201)
            await send('PATCH', `${P}feature_flags/${flag.json.id}/`, { deleted: true });
        },
      },
    );
  }, 240_000);

  test('surveys, by pages and the console', async () => {
    app = await openTestApp();
    await expectReadable(
      written(createSurveyBody, {
        start_date: MOMENTS,
        end_date: MOMENTS,
        linked_flag_id: [null],
        responseValues: [{}, { 1: 'end' }, { a: 0 }],
        targeting_flag_filters: [
          null,
          { groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'regex', value: '(' }] }] },
          {
            groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['a'] }] }],
          },
        ],
      }),
      {
        runs: 120,
        write: (body) => send('POST', `${P}surveys/`, body),
        async read({ id }, body) {
          await readAll(
            [`${P}surveys/`, `${P}surveys/${id}/`, `${P}surveys/responses_count/`, ...SDK_PATHS],
            body,
          );
          await evaluateFlags(body);
          await send('PATCH', `${P}surveys/${id}/`, { archived: true });
        },
      },
    );
  }, 240_000);

  test('events that show a survey, as posthog-js checks each event', async () => {
    app = await openTestApp();
    const start = { name: 'Any', type: 'popover', start_date: '2026-01-02' };
    const { id } = (
      await send('POST', `${P}surveys/`, { ...start, questions: [{ type: 'open', question: 'Why?' }] })
    ).json;
    const filters = fc.dictionary(
      fc.constantFrom('plan', 'amount', 'constructor'),
      fc.oneof(
        fc.jsonValue({ maxDepth: 1 }),
        fc.record({
          operator: fc.constantFrom<unknown>('exact', 'regex', 'gt', 'not_icontains', 'like', null),
          values: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }), fc.constant('pro')),
        }),
      ),
    );
    const values = fc.array(fc.record({ name: fc.constantFrom('paid', ''), propertyFilters: filters }), {
      maxLength: 2,
    });
    const events = fc.option(fc.record({ values, repeatedActivation: fc.constantFrom(true, null) }));
    await expectReadable(fc.record({ events, cancelEvents: events }, { requiredKeys: [] }), {
      runs: 150,
      write: (conditions) => send('PATCH', `${P}surveys/${id}/`, { conditions }),
      async read(_, conditions) {
        const { surveys } = (await app.ask(SDK_PATHS[0]!, { key: null })).json;
        expect(surveys, JSON.stringify(conditions)).toHaveLength(1);
        activate(surveys[0]);
      },
    });
  }, 120_000);

  test('annotations', async () => {
    app = await openTestApp();
    const insight = await storeInsight(app, { query: SIGNUPS });
    await expectReadable(
      written(annotationBody, {
        date_marker: MOMENTS,
        dashboard_item: [insight, null],
        dashboard_id: [null],
      }),
      {
        write: (body) => send('POST', `${P}annotations/`, body),
        read: ({ id }, body) =>
          readAll(
            [
              `${P}annotations/`,
              `${P}annotations/?search=a&after=2020-01-01`,
              `${P}annotations/${id}/`,
              `${P}activity_log/`,
            ],
            body,
          ),
      },
    );
  }, 120_000);

  test('variables, by SQL that names them, a dashboard and a link', async () => {
    app = await openTestApp();
    const query = { kind: 'HogQLQuery', query: 'select {variables.any}, count() from events' };
    const { id } = (await send('POST', `${P}insight_variables/`, { name: 'Any', type: 'String' })).json;
    const insight = await storeInsight(app, { query });
    const dashboard = (await send('POST', `${P}dashboards/`, { variables: { [id]: {} } })).json.id;
    await send('PATCH', `${P}dashboards/${dashboard}/`, { tiles: [{ insight }] });
    const sharing = `${P}dashboards/${dashboard}/sharing/`;
    const { access_token: token } = (
      await send('PATCH', sharing, { enabled: true, settings: { viewerFilters: true } })
    ).json;
    await expectReadable(written(createInsightVariableBody, { name: ['Any'] }), {
      runs: 100,
      write: (body) => send('PUT', `${P}insight_variables/${id}/`, body),
      async read(_, body) {
        await readAll([`${P}insight_variables/`, `/shared_dashboard/${token}`], body);
        const { tiles } = (await app.ask(`${P}dashboards/${dashboard}/?refresh=blocking`)).json;
        expect(tiles[0].error?.message ?? EMPTY_LIST, JSON.stringify(body)).toContain(EMPTY_LIST);
      },
    });
  }, 120_000);

  test('variables, tiles and settings of a dashboard, by its tiles and its link', async () => {
    app = await openTestApp();
    const query = { kind: 'HogQLQuery', query: 'select {variables.any}, count() from events' };
    const variable = (await send('POST', `${P}insight_variables/`, { name: 'Any', type: 'String' })).json.id;
    const insight = await storeInsight(app, { query });
    const { id } = (await send('POST', `${P}dashboards/`, {})).json;
    await send('PATCH', `${P}dashboards/${id}/`, { tiles: [{ insight }] });
    const [tile] = (await app.ask(`${P}dashboards/${id}/`)).json.tiles;
    const sharing = `${P}dashboards/${id}/sharing/`;
    const { access_token: token } = (await send('PATCH', sharing, { enabled: true })).json;
    const layout = fc.record({ x: fc.jsonValue(), y: fc.jsonValue(), w: fc.jsonValue(), h: fc.jsonValue() });
    const body = fc.record(
      {
        variables: fc.oneof(
          fc.dictionary(fc.constantFrom(variable, 'other', '__proto__'), fc.jsonValue({ maxDepth: 2 })),
          fc.record({
            [variable]: fc.record({ code_name: fc.constant('any'), value: fc.jsonValue({ maxDepth: 2 }) }),
          }),
        ),
        tiles: fc.tuple(
          fc.record({
            id: fc.constant(tile.id),
            color: fc.constantFrom(null, 'blue', ...ODD_TEXTS),
            layouts: fc.oneof(fc.record({ sm: layout, xs: layout }, { requiredKeys: [] }), fc.object()),
          }),
        ),
        tags: written(updateDashboardBody, {}).map(({ tags }) => tags ?? []),
      },
      { requiredKeys: [] },
    );
    const settings = written(shareSettings);
    await expectReadable(fc.tuple(body, settings), {
      runs: 100,
      async write([fields, looks]) {
        const shared = await send('PATCH', sharing, { settings: looks });
        return shared.status === 200 ? await send('PATCH', `${P}dashboards/${id}/`, fields) : shared;
      },
      async read(_, value) {
        await readAll(
          [
            `${P}dashboards/`,
            `${P}dashboards/${id}/?layoutSize=xs`,
            `${P}dashboards/${id}/stream_tiles/`,
            `/shared_dashboard/${token}`,
            `/shared_dashboard/${token}.json`,
            `${P}tags/`,
            `${P}search/?q=a`,
          ],
          value,
        );
        const { tiles } = (await app.ask(`${P}dashboards/${id}/?refresh=blocking`)).json;
        expect(tiles[0].error?.message ?? EMPTY_LIST, JSON.stringify(value)).toContain(EMPTY_LIST);
      },
    });
  }, 240_000);

  test('early access features', async () => {
    app = await openTestApp();
    await expectReadable(written(createFeatureBody, { feature_flag_id: [undefined] }), {
      write: (body) => send('POST', `${P}early_access_feature/`, body),
      async read({ id }, body) {
        await readAll([`${P}early_access_feature/`, `${P}early_access_feature/${id}/`, ...SDK_PATHS], body);
        await evaluateFlags(body);
        await app.ask(`${P}early_access_feature/${id}/`, { method: 'DELETE' });
      },
    });
  }, 120_000);

  test('definitions of events and properties, by lists, queries and the schema', async () => {
    app = await openTestApp();
    await sendEvents(app, [{ event: 'visit', distinct_id: 'lin', properties: { amount: 'none' } }]);
    const schema = { kind: 'DatabaseSchemaQuery' };
    const text = 'select properties.amount, sum(toFloat(properties.amount)) from events group by 1';
    const reads = [`${P}event_definitions/`, `${P}property_definitions/`, `${P}search/?q=a`];
    await expectReadable(written(createEventDefinitionBody), {
      runs: 40,
      write: (body) => send('POST', `${P}event_definitions/`, body),
      read: (_, body) => readAll(reads, body),
    });
    const { results } = (await app.ask(`${P}property_definitions/?search=amount`)).json;
    await expectReadable(written(updatePropertyDefinitionBody), {
      runs: 40,
      write: (body) => send('PATCH', `${P}property_definitions/${results[0].id}/`, body),
      async read(_, body) {
        await readAll([...reads, `${P}events/?event=visit`], body);
        for (const query of [schema, { kind: 'HogQLQuery', query: text }]) {
          const answer = await send('POST', `${P}query/`, { query });
          expect(answer.status, `${JSON.stringify(body)}: ${answer.text.slice(0, 300)}`).toBe(200);
        }
      },
    });
  }, 120_000);

  test.each(Object.entries(QUERY_KINDS))(
    '%s as an insight, by its page, its file and its link',
    async (kind, schema) => {
      app = await openTestApp();
      await sendEvents(app, [{ event: 'visit', distinct_id: 'lin', properties: { plan: 'a' } }]);
      const words = {
        query: [
          'select 1',
          'select event from events',
          'select {filters}',
          'select',
          'select count() from evnts',
        ],
        select: [['event'], ['event', 'count()'], ['nope'], ['*', 'uuid']],
        event: ['visit', null],
        properties: [[], [{ key: 'plan', type: 'event', operator: 'exact', value: 'a' }]],
        fixedProperties: [[]],
        math: ['total', 'dau', 'avg', 'hogql'],
        math_property: ['amount', null],
        math_hogql: ['count()', 'moon()', null],
        breakdown_type: ['event', 'person', 'session', 'hogql'],
        breakdown: ['plan', 'moon()'],
        formula: ['A', 'A +', 'B'],
        source: [
          ...[1, 2].map((funnelStep) => ({
            kind: 'FunnelsActorsQuery',
            funnelStep,
            source: {
              kind: 'FunnelsQuery',
              series: [
                { kind: 'EventsNode', event: 'visit' },
                { kind: 'EventsNode', event: 'paid' },
              ],
            },
          })),
          { kind: 'HogQLQuery', query: 'select person_id from events' },
        ],
        funnelCorrelationNames: [['plan'], ['$all']],
        funnelCorrelationEventNames: [['visit']],
      };
      await expectReadable(written(schema as z.ZodType<unknown>, words), {
        // The parts of a funnel depend on each other, so that most of them are refused.
        runs: kind === 'FunnelsQuery' ? 160 : 40,
        write: (query) => send('POST', `${P}insights/`, { query }),
        async read({ id }, query) {
          const shown = (await app.ask(`${P}insights/${id}/?refresh=blocking`)).json;
          expect(shown.query_status?.error_message ?? '', JSON.stringify(query)).not.toMatch(
            /server error|^Line \d|There is no|needs /,
          );
          await readAll([`${P}insights/?search=a`], query);
        },
      });
    },
    120_000,
  );
});
