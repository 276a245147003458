// @ts-check

/**
 * @typedef {object} Measured
 * @property {import('./summary.mjs').CaseSummary[]} cases
 * @property {Awaited<ReturnType<typeof import('./measures/queryable.mjs').measureQueryable>> | undefined} [queryable]
 * @property {Awaited<ReturnType<typeof import('./measures/memory.mjs').measureMemory>> | undefined} [memory]
 * @property {Awaited<ReturnType<typeof import('./measures/busy.mjs').measureBusy>> | undefined} [busy]
 * @property {Awaited<ReturnType<typeof import('./measures/persons.mjs').measurePersons>> | undefined} [persons]
 * @property {Awaited<ReturnType<typeof import('./measures/definitions.mjs').measureDefinitions>> | undefined} [definitions]
 * @property {Awaited<ReturnType<typeof import('./measures/stored-events.mjs').measureStoredEvents>> | undefined} [storedEvents]
 * @property {Awaited<ReturnType<typeof import('./measures/dashboards.mjs').measureDashboards>> | undefined} [dashboards]
 * @property {Awaited<ReturnType<typeof import('./measures/start-up.mjs').measureStartUp>> | undefined} [startUp]
 * @property {Awaited<ReturnType<typeof import('./measures/idle.mjs').measureIdle>> | undefined} [idle]
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
  persons,
  definitions,
  storedEvents,
  dashboards,
  startUp,
  idle,
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
  if (dashboards) {
    const { dashboards: count, listMs, retrieveMs } = dashboards;
    bars.push(atMost(`list of ${count} dashboards of 20 tiles, median`, listMs, 15, ' ms'));
    bars.push(atMost('one of them with its tiles, median', retrieveMs, 15, ' ms'));
  }
  if (startUp) bars.push(atMost('start on an empty folder', startUp.startMs, 700, ' ms'));
  if (idle) bars.push(atMost('processor, idle', idle.idleCpuPercent, 0.5, ' % of a core'));
  return bars;
}

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
