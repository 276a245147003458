// @ts-check
import { cpus, release, totalmem, type } from 'node:os';

/** @typedef {import('./bars.mjs').Measured} Measured */

/** What the figures were measured on, in one line. */
export function describeMachine() {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown processor'}, ${memory} GiB, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** @typedef {{ date: string, machine: string, runs: number, seconds: number }} About */

/**
 * The tables of docs/performance.md: throughput beside its limits and peers, and what else was measured.
 * @param {Measured} measured
 * @param {About} about
 */
export function toMarkdown(measured, { date, machine, runs, seconds }) {
  const intro = `Measured ${date} on ${machine}; client and server share it. Medians of ${runs} runs of ${seconds} s; short questions are asked more often.`;
  return join([intro, throughputTable(measured.cases), measuresTable(measured)]);
}

/**
 * The output for the terminal only: the cost of the load for the server, and the bars when they are requested.
 * @param {Measured} measured
 * @param {import('./bars.mjs').Bar[]} bars
 */
export function toDetails(measured, bars) {
  return join([costTable(measured.cases), barsTable(bars)]);
}

/** @param {string[]} parts */
function join(parts) {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** @param {Measured['cases']} cases */
function throughputTable(cases) {
  if (cases.length === 0) return '';
  const rows = cases.map(({ shape, contestants, shares, shareWithoutUuids }) => [
    shape.name,
    thousands(contestants.burrow.eventsPerSecond),
    `${milliseconds(contestants.burrow.p50)} / ${milliseconds(contestants.burrow.p99)}`,
    shares.durable.toFixed(2),
    shares.ndjson.toFixed(2),
    shares.parse.toFixed(2),
    shares.express.toFixed(2),
    `${thousands(contestants['burrow-no-uuids'].eventsPerSecond)} (${shareWithoutUuids.toFixed(2)})`,
  ]);
  const head = [
    'events per request - connections',
    'events/s, durable',
    'answer p50 / p99 ms',
    'of the durable floor',
    'of NDJSON',
    'of node:http, storing nothing',
    'of Express, storing nothing',
    'without client uuids (of the floor)',
  ];
  return table(head, rows);
}

/** @param {Measured['cases']} cases */
function costTable(cases) {
  if (cases.length === 0) return '';
  const rows = cases.map(({ shape, contestants, loopDelayMs, livenessMs, remarks }) => [
    shape.name,
    loopDelayMs === null ? '' : `${milliseconds(loopDelayMs.p50)} / ${milliseconds(loopDelayMs.p99)}`,
    milliseconds(livenessMs.p99),
    milliseconds(contestants.burrow.cpuMicroseconds),
    milliseconds(contestants.durable.cpuMicroseconds),
    milliseconds(contestants.ndjson.cpuMicroseconds),
    thousands(contestants.burrow.peakMb),
    remarks.join('; '),
  ]);
  const head = [
    'beside the load',
    'loop delay p50 / p99 ms',
    'liveness p99 ms',
    'processor µs per event',
    'durable floor µs',
    'NDJSON µs',
    'peak MB',
    'remarks',
  ];
  return table(head, rows);
}

/** @param {Measured} measured */
function measuresTable({
  queryable,
  memory,
  busy,
  hostile,
  persons,
  pageViews,
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
  const rows = [];
  if (queryable) {
    const { extraPolls, queryableP50, queryableMax } = queryable;
    const times = `${milliseconds(queryableP50)} / ${milliseconds(queryableMax)} ms`;
    rows.push([
      'acknowledged → found by `GET P/events/`, p50 / max',
      `${times}, ${extraPolls} further polls`,
    ]);
  }
  if (busy) {
    rows.push(['capture while six 10-second queries run, p50 / max', `${spread(busy.busyCapture)} ms`]);
    rows.push(['`/_readiness` meanwhile, p50 / max', `${spread(busy.busyReadiness)} ms`]);
  }
  for (const { name, attacks, p50, p99, max, peakMb } of hostile?.hostile ?? [])
    rows.push([
      `capture during ${attacks} turns of the hostile loop "${name}", p50 / p99 / max; memory, peak`,
      `${milliseconds(p50)} / ${milliseconds(p99)} / ${milliseconds(max)} ms; ${peakMb.toFixed(0)} MB`,
    ]);
  if (idle) rows.push(['memory, idle', `${idle.idleMb.toFixed(0)} MB`]);
  if (memory) {
    const { loadedMb, peakMb, laterMb } = memory;
    rows.push(['memory right after the load / peak', `${loadedMb.toFixed(0)} / ${peakMb.toFixed(0)} MB`]);
    rows.push(['memory 30 s later', `${laterMb.toFixed(0)} MB`]);
  }
  if (definitions) {
    const { withPerSecond, definitionsShare } = definitions;
    const share = `${thousands(withPerSecond)} events/s (${definitionsShare.toFixed(2)} of without)`;
    rows.push(['names and types of events and properties listed', share]);
  }
  if (persons) {
    const { manyShare, newShare, manyPerSecond, newPerSecond, mapMb } = persons;
    rows.push([
      'a million persons stored, events of all of them',
      `${thousands(manyPerSecond)} events/s, ${manyShare.toFixed(2)} of the rate with a thousand`,
    ]);
    rows.push([
      'every event of a new person',
      `${thousands(newPerSecond)} events/s, ${newShare.toFixed(2)} of the same`,
    ]);
    rows.push(['memory of a million distinct ids', `${mapMb.toFixed(0)} MB`]);
  }
  if (pageViews) {
    const { pageViewsPerSecond, pageViewsShare } = pageViews;
    rows.push([
      'page views of 10,000 identified persons, as posthog-js sends them',
      `${thousands(pageViewsPerSecond)} events/s, ${pageViewsShare.toFixed(2)} of the same without person profiles`,
    ]);
  }
  if (storedEvents) {
    const { storedEvents: stored, fullPerSecond, fullShare } = storedEvents;
    rows.push([
      `${stored / 1e6} million events stored already`,
      `${thousands(fullPerSecond)} events/s, ${fullShare.toFixed(2)} of the rate into an empty file`,
    ]);
  }
  if (imports) rows.push(['a million events of a file imported', `${imports.importSeconds.toFixed(1)} s`]);
  if (dashboards) {
    const { dashboards: count, listMs, retrieveMs } = dashboards;
    const times = `${milliseconds(listMs)} / ${milliseconds(retrieveMs)} ms`;
    rows.push([`list of ${count} dashboards of 20 tiles / one of them, median`, times]);
  }
  if (flags) {
    const { flagsPerSecond, sdkFlagsPerSecond, flagsTimes } = flags;
    rows.push([
      'flags evaluated without trace, on one core',
      `${thousands(flagsPerSecond)} evaluations/s, ${flagsTimes.toFixed(0)} times posthog-node (${thousands(sdkFlagsPerSecond)})`,
    ]);
  }
  if (decide) {
    const { decidePerSecond, decideShare, decideP50, decideP975, manyFlagsP50, manyFlagsPerSecond } = decide;
    const { constantP50, constantP975 } = decide;
    rows.push([
      '`/decide`, 20 flags, stored persons, 50 connections',
      `${thousands(decidePerSecond)} requests/s, ${decideShare.toFixed(2)} of node:http that parses and answers`,
    ]);
    rows.push([
      'the same, p50 / p97.5; of the server that only parses',
      `${milliseconds(decideP50)} / ${milliseconds(decideP975)} ms; ${milliseconds(constantP50)} / ${milliseconds(constantP975)} ms`,
    ]);
    rows.push([
      '`/decide`, 500 flags with cohorts, 4 connections',
      `${thousands(manyFlagsPerSecond)} requests/s, median ${milliseconds(manyFlagsP50)} ms`,
    ]);
  }
  if (queries) rows.push(...queryRows(queries));
  if (growth) rows.push(...growthRows(growth));
  if (console) {
    const { consoleEvents, paintMs, bundleKb, coldTilesMs, warmTilesMs, dragFrameMs } = console;
    rows.push([
      'first paint of the console in Chromium, nothing in its cache',
      `${milliseconds(paintMs)} ms`,
    ]);
    rows.push(['what every screen of the console loads, gzip', `${bundleKb.toFixed(0)} kB`]);
    rows.push([
      `until twenty tiles over ${consoleEvents / 1e6} million events are there, the server just started / answered before`,
      `${milliseconds(coldTilesMs)} / ${milliseconds(warmTilesMs)} ms`,
    ]);
    rows.push([
      'main thread in a frame of dragging a tile among twenty, p95',
      `${milliseconds(dragFrameMs)} ms`,
    ]);
  }
  if (warehouse) rows.push(...warehouseRows(warehouse));
  if (startUp) rows.push(['start to listening, empty folder', `${startUp.startMs.toFixed(0)} ms`]);
  if (desktop) {
    const { windowMs, contentMs, desktopCpuPercent, desktopMb } = desktop;
    rows.push([
      'the desktop app on an empty folder, start to window / to the content of the console',
      `${windowMs.toFixed(0)} / ${contentMs.toFixed(0)} ms`,
    ]);
    rows.push([
      'all its processes, idle, one window, no GPU',
      `${desktopCpuPercent.toFixed(2)} % of a core, ${desktopMb.toFixed(0)} MB`,
    ]);
  }
  if (idle) rows.push(['processor, idle', `${idle.idleCpuPercent.toFixed(2)} % of a core`]);
  return rows.length === 0 ? '' : table(['measure', 'value'], rows);
}

/** @param {NonNullable<Measured['queries']>} queries */
function queryRows({ questionEvents, questions, ...others }) {
  const events = `${(questionEvents / 1e6).toLocaleString('en-US')} million events`;
  const asked = questions.map(({ name, printedMs, handMs, clickhouseMs, postgresMs }) => [
    `${name}, ${events}: printed SQL / written by hand / ClickHouse / PostgreSQL`,
    `${[printedMs, handMs, clickhouseMs, postgresMs].map((ms) => (ms === null ? '–' : milliseconds(ms))).join(' / ')} ms`,
  ]);
  const { newTextMs, knownTextMs, changedDataMs, knownQuestionMs } = others;
  const { hotSeconds, captureAloneP99, captureBesideP99, queriesPeakMb } = others;
  return [
    ...asked,
    [
      'what a request adds to the engine: new query text / known one / known one after an event / known question',
      `${[newTextMs, knownTextMs, changedDataMs, knownQuestionMs].map(milliseconds).join(' / ')} ms`,
    ],
    ['until properties that are asked for have columns', `${hotSeconds.toFixed(1)} s`],
    [
      'capture alone / beside a long query, p99',
      `${milliseconds(captureAloneP99)} / ${milliseconds(captureBesideP99)} ms`,
    ],
    ['memory of the server meanwhile, peak', `${queriesPeakMb.toFixed(0)} MB`],
  ];
}

/** @param {NonNullable<Measured['growth']>} growth */
function growthRows({ growth }) {
  const sizes = growth.map(({ events }) => events / 1e6).join(' / ');
  const over = (/** @type {(size: (typeof growth)[number]) => number} */ ms) =>
    `${growth.map((size) => milliseconds(ms(size))).join(' / ')} ms`;
  const names = growth[0]?.questions.map(({ name }) => name) ?? [];
  return [
    ...names.map((name, at) => [
      `${name}, all of ${sizes} million events`,
      over(({ questions }) => questions[at]?.ms ?? NaN),
    ]),
    [`trends of one day among ${sizes} million events`, over(({ oneDay }) => oneDay.ms)],
  ];
}

/** @param {NonNullable<Measured['warehouse']>} warehouse */
function warehouseRows(warehouse) {
  const { streamedPerSecond, streamedShare, streamedCpu, lagP50, lagMax } = warehouse;
  const { copiedEvents, copySeconds, clickhouseBytes, warehouseQuestions } = warehouse;
  const million = copiedEvents / 1e6;
  return [
    [
      'events/s beside ClickHouse on the same machine',
      `${thousands(streamedPerSecond)} (${streamedShare.toFixed(2)} of those without it; ${streamedCpu.toFixed(2)} times the processor time an event)`,
    ],
    ['ClickHouse behind at 5,000 events/s, p50 / max', `${lagP50.toFixed(1)} / ${lagMax.toFixed(1)} s`],
    [
      `copy of ${million} million events to ClickHouse`,
      `${copySeconds.toFixed(0)} s, ${(clickhouseBytes / 1e9).toFixed(2)} GB there`,
    ],
    ...warehouseQuestions.map(({ name, file, clickhouse }) => [
      `${name}, ${million} million events, whole request: file / ClickHouse`,
      `${milliseconds(file)} / ${milliseconds(clickhouse)} ms`,
    ]),
  ];
}

/** @param {import('./bars.mjs').Bar[]} bars */
function barsTable(bars) {
  if (bars.length === 0) return '';
  const rows = bars.map(({ what, limit, measured, isMet }) => [
    what,
    limit,
    measured,
    isMet ? 'met' : '**not met**',
  ]);
  return table(['bar', 'limit', 'measured', ''], rows);
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** @param {import('./prober.mjs').Probes} probes */
function spread({ p50, max }) {
  return `${milliseconds(p50)} / ${milliseconds(max)}`;
}

/** @param {number} value */
function milliseconds(value) {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** @param {number} value */
function thousands(value) {
  return Math.round(value).toLocaleString('en-US');
}

/**
 * Puts the tables between the two markers; throws when a marker is missing.
 * @param {string} page
 * @param {string} markdown
 */
export function replaceFigures(page, markdown) {
  const [start, end] = ['<!-- bench:start -->', '<!-- bench:end -->'];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md has no ${start} … ${end} to write the figures into.`);
  return `${page.slice(0, from + start.length)}\n\n${markdown}\n\n${page.slice(to)}`;
}
