import { funnelsKind } from '../../server/features/query/kinds/funnels/index.ts';
import type { KindContext } from '../../server/features/query/query-kind.ts';
import type { ModelEvent, ModelFunnel } from './funnel-model.ts';
import { answerOf, openKindContext, type KindOptions } from './kind-context.ts';
import { sendEvents } from './send-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** Where the seconds of a model's events begin. */
export const MODEL_START = Date.UTC(2026, 10, 18, 10);

/** A step of the answer, as far as tests look at it. */
export interface ShownStep {
  count: number;
  average_conversion_time: number | null;
  median_conversion_time: number | null;
  breakdown_value?: string[];
}

export interface FunnelsApp {
  app: TestApp;
  context: KindContext;
  /** Stores events of persons that no other call has, and gives the results of the funnel over these alone. */
  ask(events: readonly ModelEvent[], funnel: ModelFunnel, more?: object, fields?: object): Promise<unknown>;
}

/** An app whose project has the events of funnel models. */
export async function openFunnels(options: KindOptions = {}): Promise<FunnelsApp> {
  const app = await openTestApp();
  const context = await openKindContext(app, options);
  let run = 0;
  return {
    app,
    context,
    async ask(events, funnel, more = {}, fields = {}) {
      run += 1;
      await sendEvents(
        app,
        events.map(({ who, event, at, plan }) => ({
          event,
          distinct_id: `${who}-${run}`,
          timestamp: new Date(MODEL_START + at * 1_000).toISOString(),
          properties: { run: `r${run}`, ...(plan !== undefined && { plan }) },
        })),
      );
      const query = {
        ...funnelQuery(funnel, more),
        properties: [{ key: 'run', value: `r${run}`, type: 'event', operator: 'exact' }],
        ...fields,
      };
      const { results } = await answerOf(funnelsKind, funnelsKind.schema.parse(query), context);
      return results;
    },
  };
}

/** The query that means the funnel of a model; `more` are fields of its `funnelsFilter`. */
export function funnelQuery(
  funnel: ModelFunnel,
  more: object = {},
): { kind: string } & Record<string, unknown> {
  const { attribution } = funnel;
  const isStep = typeof attribution === 'number';
  return {
    kind: 'FunnelsQuery',
    dateRange: { date_from: '-3d' },
    series: funnel.steps.map(({ event, optional }) => ({
      kind: 'EventsNode',
      event,
      ...(optional === true && { optionalInFunnel: true }),
    })),
    funnelsFilter: {
      funnelOrderType: funnel.order,
      funnelWindowInterval: funnel.window,
      funnelWindowIntervalUnit: 'second',
      exclusions: funnel.exclusions.map(({ event, from, to }) => ({
        kind: 'EventsNode',
        event,
        funnelFromStep: from,
        funnelToStep: to,
      })),
      ...(funnel.holdsPlan && { holdConstant: ['plan'] }),
      ...(attribution !== 'none' && {
        breakdownAttributionType: isStep ? 'step' : attribution,
        ...(isStep && { breakdownAttributionValue: attribution }),
      }),
      ...more,
    },
    ...(attribution !== 'none' && { breakdownFilter: { breakdown: 'plan' } }),
  };
}
