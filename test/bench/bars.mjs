// @ts-check

/**
 * @typedef {object} Measured
 * @property {import('./summary.mjs').CaseSummary[]} cases
 * @property {Awaited<ReturnType<typeof import('./measures/queryable.mjs').measureQueryable>> | undefined} [queryable]
 * @property {Awaited<ReturnType<typeof import('./measures/memory.mjs').measureMemory>> | undefined} [memory]
 * @property {Awaited<ReturnType<typeof import('./measures/busy.mjs').measureBusy>> | undefined} [busy]
 * @property {Awaited<ReturnType<typeof import('./measures/hostile.mjs').measureHostile>> | undefined} [hostile]
 * @property {Awaited<ReturnType<typeof import('./measures/persons.mjs').measurePersons>> | undefined} [persons]
 * @property {Awaited<ReturnType<typeof import('./measures/page-views.mjs').measurePageViews>> | undefined} [pageViews]
 * @property {Awaited<ReturnType<typeof import('./measures/definitions.mjs').measureDefinitions>> | undefined} [definitions]
 * @property {Awaited<ReturnType<typeof import('./measures/stored-events.mjs').measureStoredEvents>> | undefined} [storedEvents]
 * @property {Awaited<ReturnType<typeof import('./measures/imports.mjs').measureImports>> | undefined} [imports]
 * @property {Awaited<ReturnType<typeof import('./measures/dashboards.mjs').measureDashboards>> | undefined} [dashboards]
 * @property {Awaited<ReturnType<typeof import('./measures/flags.mjs').measureFlags>> | undefined} [flags]
 * @property {Awaited<ReturnType<typeof import('./measures/decide.mjs').measureDecide>> | undefined} [decide]
 * @property {Awaited<ReturnType<typeof import('./measures/queries.mjs').measureQueries>> | undefined} [queries]
 * @property {Awaited<ReturnType<typeof import('./measures/growth.mjs').measureGrowth>> | undefined} [growth]
 * @property {Awaited<ReturnType<typeof import('./measures/console.mjs').measureConsole>> | undefined} [console]
 * @property {Awaited<ReturnType<typeof import('./measures/warehouse.mjs').measureWarehouse>> | undefined} [warehouse]
 * @property {Awaited<ReturnType<typeof import('./measures/start-up.mjs').measureStartUp>> | undefined} [startUp]
 * @property {Awaited<ReturnType<typeof import('./measures/idle.mjs').measureIdle>> | undefined} [idle]
 * @property {Awaited<ReturnType<typeof import('./measures/desktop.mjs').measureDesktop>> | undefined} [desktop]
 */

/** @typedef {{ what: string, limit: string, measured: string, isMet: boolean }} Bar */

/**
 * The limits that were promised, beside what was measured. What was not measured is left out.
 * @param {Measured} measured
 * @returns {Bar[]}
 */
export function compareWithBars({
  cases,
  queryable,
  memory,
  busy,
  hostile,
  persons,
  definitions,
  storedEvents,
  imports,
  dashboards,
  flags,
  decide,
  queries,
  growth,
  console,
  warehouse,
  startUp,
  idle,
  desktop,
}) {
  const bars = cases.flatMap(caseBars);
  if (queryable) bars.push(atMost('queryable when acknowledged, further polls', queryable.extraPolls, 0, ''));
  if (busy) {
    bars.push(atMost('capture while six queries run, slowest', busy.busyCapture.max, 200, ' ms'));
    bars.push(atMost('`/_readiness` while six queries run, slowest', busy.busyReadiness.max, 50, ' ms'));
    bars.push(
      atMost(
        'refused or failed while six queries run',
        busy.busyCapture.failed + busy.busyReadiness.failed,
        0,
        '',
      ),
    );
  }
  for (const { name, p99, failed, peakMb, isAlive } of hostile?.hostile ?? []) {
    const during = `during a loop of ${ATTACK_NAMES[name]}`;
    bars.push(atMost(`capture ${during}, p99`, p99, 200, ' ms'));
    bars.push(atMost(`refused or failed ${during}`, failed, 0, ''));
    bars.push(atMost(`memory ${during}, peak`, peakMb, 900, ' MB'));
    bars.push(atLeast(`processes alive after ${during.slice(7)}`, Number(isAlive), 1));
  }
  if (idle) bars.push(atMost('memory, idle', idle.idleMb, 200, ' MB'));
  if (memory) {
    bars.push(atMost('memory, right after the load', memory.loadedMb, 700, ' MB'));
    bars.push(atMost('memory, half a minute later', memory.laterMb, 350, ' MB'));
  }
  if (persons) {
    bars.push(atLeast('a million persons, of the rate with a thousand', persons.manyShare, 0.6));
    bars.push(atLeast('a new person with each event, of the same', persons.newShare, 0.3));
    bars.push(atMost('memory of a million distinct ids', persons.mapMb, 300, ' MB'));
  }
  if (definitions)
    bars.push(atLeast('with definitions, of the rate without', definitions.definitionsShare, 0.9));
  if (storedEvents) {
    const what = `${storedEvents.storedEvents / 1e6} million events stored, of the rate into an empty file`;
    bars.push(atLeast(what, storedEvents.fullShare, 0.8));
  }
  if (imports) bars.push(atMost('a million events imported', imports.importSeconds, 30, ' s'));
  if (dashboards) {
    const { dashboards: count, listMs, retrieveMs } = dashboards;
    bars.push(atMost(`list of ${count} dashboards of 20 tiles, median`, listMs, 15, ' ms'));
    bars.push(atMost('one of them with its tiles, median', retrieveMs, 15, ' ms'));
  }
  if (flags) {
    const { flagsPerSecond, flagsTimes } = flags;
    bars.push(atLeast('flags evaluated without trace, thousands a second', flagsPerSecond / 1000, 300));
    bars.push(atLeast("the same, times posthog-node's local evaluation", flagsTimes, 5));
  }
  if (decide) {
    const { decideShare, decideP975, manyFlagsP50 } = decide;
    bars.push(atLeast('`/decide`, 20 flags, of node:http that parses and answers', decideShare, 0.25));
    bars.push(atMost('`/decide`, 20 flags, 50 connections, p97.5', decideP975, 10, ' ms'));
    bars.push(atMost('`/decide`, 500 flags with cohorts, 4 connections, median', manyFlagsP50, 20, ' ms'));
  }
  if (queries) bars.push(...queryBars(queries));
  if (growth) bars.push(...growthBars(growth));
  if (console) {
    const { consoleEvents, paintMs, bundleKb, coldTilesMs, warmTilesMs, dragFrameMs } = console;
    const tiles = `twenty tiles over ${consoleEvents / 1e6} million events`;
    bars.push(atMost('first paint of the console', paintMs, 1_000, ' ms'));
    bars.push(atMost('what every screen loads, gzip', bundleKb, 120, ' kB'));
    bars.push(atMost(`${tiles}, the server just started`, coldTilesMs, 2_000, ' ms'));
    bars.push(atMost(`${tiles}, answered before`, warmTilesMs, 2_000, ' ms'));
    bars.push(atMost('main thread in a frame of dragging a tile among twenty, p95', dragFrameMs, 8, ' ms'));
  }
  if (warehouse) {
    const { streamedShare, lagMax, copySeconds, copiedEvents } = warehouse;
    bars.push(atLeast('events/s beside ClickHouse, of those without it', streamedShare, 0.9));
    bars.push(atMost('ClickHouse behind at 5,000 events/s', lagMax, 2, ' s'));
    const limit = (copiedEvents / 1e7) * 300;
    bars.push(atMost(`copy of ${copiedEvents / 1e6} million events`, copySeconds, limit, ' s'));
  }
  if (startUp) bars.push(atMost('start on an empty folder', startUp.startMs, 700, ' ms'));
  if (idle) bars.push(atMost('processor, idle', idle.idleCpuPercent, 0.5, ' % of a core'));
  if (desktop) {
    bars.push(atMost('content of the desktop app', desktop.contentMs, 1_500, ' ms'));
    bars.push(atMost('processor, idle desktop app', desktop.desktopCpuPercent, 0.5, ' % of a core'));
    bars.push(atMost('memory, idle desktop app', desktop.desktopMb, 350, ' MB'));
  }
  return bars;
}

/** @type {Readonly<Record<string, string>>} */
const ATTACK_NAMES = {
  dense: 'small bodies of millions of events',
  uploads: 'stalled uploads',
  memory: 'queries that take all memory',
  like: 'patterns that backtrack',
};

/** @param {import('./summary.mjs').CaseSummary} summary @returns {Bar[]} */
function caseBars({ shape, shares, loopDelayMs }) {
  const bars = [];
  if (shape.bar !== null) {
    // The bars come from a prototype beside a server that wrote lines of JSON; one that writes raw bodies takes batches three times as fast.
    bars.push(atLeast(`${shape.name}, of NDJSON`, shares.ndjson, shape.bar));
    bars.push(atLeast(`${shape.name}, of the durable floor`, shares.durable, shape.bar));
  }
  if (shape.batch > 1 && loopDelayMs !== null)
    bars.push(atMost(`${shape.name}, loop delay p99`, loopDelayMs.p99, 15, ' ms'));
  return bars;
}

/** Those that ask for no property, and for no way through several events. */
const PLAIN_QUESTIONS = new Set(['trends by day', 'unique users by day']);

/** @param {NonNullable<Measured['queries']>} queries @returns {Bar[]} */
function queryBars({ questionEvents, questions, ...others }) {
  const sum = (/** @type {'printedMs' | 'handMs'} */ which) =>
    questions.reduce((total, question) => total + question[which], 0);
  const bars = [
    atMost('six questions, times SQL written by hand', sum('printedMs') / sum('handMs'), 1.25, ''),
  ];
  let faster = 0;
  for (const { name, printedMs, handMs, clickhouseMs, postgresMs } of questions) {
    bars.push(atMost(`${name}, times SQL written by hand`, printedMs / handMs, 1.5, ''));
    // PostgreSQL keeps up while everything fits into its memory.
    if (postgresMs !== null && questionEvents >= 1e7) {
      const least = PLAIN_QUESTIONS.has(name) ? 4 : 10;
      bars.push(atLeast(`${name}, times as fast as PostgreSQL`, postgresMs / printedMs, least));
    }
    if (clickhouseMs === null) continue;
    bars.push(atMost(`${name}, times ClickHouse`, printedMs / clickhouseMs, 1.5, ''));
    if (printedMs < clickhouseMs) faster += 1;
  }
  if (questions.every(({ clickhouseMs }) => clickhouseMs !== null))
    bars.push(atLeast('of six questions faster than ClickHouse', faster, 4));
  bars.push(atMost('a request with a new query text adds', others.newTextMs, 25, ' ms'));
  bars.push(atMost('one with a known text', others.knownTextMs, 6, ' ms'));
  bars.push(atMost('one with a known text after an event', others.changedDataMs, 6, ' ms'));
  bars.push(atMost('one of the six questions, known', others.knownQuestionMs, 6, ' ms'));
  if (questionEvents <= 1e6)
    bars.push(atMost('properties asked for have columns', others.hotSeconds, 60, ' s'));
  const slower = others.captureBesideP99 / others.captureAloneP99;
  bars.push(atMost('capture beside a long query, p99, times without', slower, 3, ''));
  const { queriesPeakMb, queriesLimitMb } = others;
  bars.push(
    atMost('memory of the server beside it, peak', queriesPeakMb, queriesLimitMb + PROCESS_MB, ' MB'),
  );
  return bars;
}

/** What the server takes beside what DuckDB may hold. */
const PROCESS_MB = 350;
/** What a measurement of a few milliseconds may be off by. */
const NOISE = 1.3;

/** @param {NonNullable<Measured['growth']>} growth @returns {Bar[]} */
function growthBars({ growth }) {
  // Each size beside the one before it: what costs the same for any size would hide how the largest grows.
  return growth.slice(1).flatMap(({ events, questions, oneDay }, at) => {
    const smaller = growth[at]?.events ?? NaN;
    const times = events / smaller;
    const what = `${events / 1e6} million events instead of ${smaller / 1e6}`;
    const worst = questions
      .map(({ name, ms, smallerMs }) => ({ name, slower: ms / smallerMs }))
      .reduce((a, b) => (b.slower > a.slower ? b : a));
    return [
      atMost(`${what}: ${worst.name}, times slower`, worst.slower, times * NOISE, ''),
      atMost(`${what}: a question about one day, times slower`, oneDay.ms / oneDay.smallerMs, NOISE, ''),
    ];
  });
}

/** @param {string} what @param {number} measured @param {number} limit @returns {Bar} */
function atLeast(what, measured, limit) {
  return { what, limit: `≥ ${limit}`, measured: measured.toFixed(2), isMet: measured >= limit };
}

/** @param {string} what @param {number} measured @param {number} limit @param {string} unit @returns {Bar} */
function atMost(what, measured, limit, unit) {
  const digits = Number.isInteger(measured) || measured >= 100 ? 0 : measured < 10 ? 2 : 1;
  return {
    what,
    limit: `≤ ${limit}${unit}`,
    measured: `${measured.toFixed(digits)}${unit}`,
    isMet: measured <= limit,
  };
}
