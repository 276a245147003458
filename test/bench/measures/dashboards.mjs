// @ts-check
import { createDashboard, getDashboard, listDashboards } from '../burrow-api.mjs';
import { start } from '../servers.mjs';
import { percentile } from '../statistics.mjs';

const DASHBOARDS = 1_000;
const TILES = 20;
/** Requests of each kind, one after another. */
const REQUESTS = 200;
const WARM_UP = 20;

/**
 * How long a page of the dashboards and one dashboard with its tiles take, where there are a thousand of twenty tiles:
 * medians in ms, from request to parsed answer.
 */
export async function measureDashboards() {
  const server = await start('burrow');
  try {
    for (let n = 0; n < DASHBOARDS; n += 1) await createDashboard(server, templateOf(n));
    const { count, results } = await listDashboards(server);
    if (count !== DASHBOARDS) throw new Error(`There are ${count} dashboards.`);
    const listMs = await median(() => listDashboards(server));
    const retrieveMs = await median(async (n) => {
      const { tiles } = await getDashboard(server, results[n % results.length]?.id ?? 0);
      if (tiles.length !== TILES) throw new Error(`A dashboard has ${tiles.length} tiles.`);
    });
    return { dashboards: DASHBOARDS, listMs, retrieveMs };
  } finally {
    await server.stop();
  }
}

/** @param {(n: number) => Promise<unknown>} once */
async function median(once) {
  const times = [];
  for (let n = 0; n < WARM_UP + REQUESTS; n += 1) {
    const before = performance.now();
    await once(n);
    if (n >= WARM_UP) times.push(performance.now() - before);
  }
  return percentile(times, 0.5);
}

/** A template of as many insights as a full dashboard has. @param {number} number */
function templateOf(number) {
  return {
    template_name: `Dashboard ${number}`,
    dashboard_description: 'As many people have them',
    dashboard_filters: {},
    tags: ['bench'],
    tiles: Array.from({ length: TILES }, (_, n) => ({
      type: 'INSIGHT',
      name: `Insight ${n} of ${number}`,
      description: '',
      query: {
        kind: 'InsightVizNode',
        source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: `event ${n}` }] },
      },
      layouts: { sm: { x: (n % 2) * 6, y: Math.floor(n / 2) * 5, w: 6, h: 5 } },
      color: 'blue',
    })),
  };
}
