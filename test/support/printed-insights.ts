/**
 * Statements as PostHog's printer writes them for insights over the shop of `query-shop.ts`, from 16 to 20 November 2026:
 * calls instead of operators, names of its own for each part.
 */
const FROM = '2026-11-16 00:00:00';
const TO = '2026-11-20 23:59:59';

const moment = (text: string): string => `assumeNotNull(toDateTime('${text}'))`;
const dayOf = (sql: string): string => `toStartOfInterval(${sql}, toIntervalDay(1))`;
const range = `greaterOrEquals(timestamp, ${dayOf(moment(FROM))}), lessOrEquals(timestamp, ${moment(TO)})`;

const DATES = `arrayMap(number -> plus(${dayOf(moment(FROM))}, toIntervalDay(number)), range(0, plus(coalesce(dateDiff('day', ${dayOf(moment(FROM))}, ${dayOf(moment(TO))})), 1)))`;
const ON_DAYS = `arrayMap(_match_date -> arraySum(arraySlice(groupArray(ifNull(count, 0)), indexOf(groupArray(day_start) AS _days_for_count, _match_date) AS _index, plus(minus(arrayLastIndex(x -> equals(x, _match_date), _days_for_count), _index), 1))), date)`;

/** A line over days; `total` is what it counts. */
export const printedTrends = (total: string): string => `SELECT
    ${DATES} AS date,
    ${ON_DAYS} AS total
FROM
    (SELECT
        sum(total) AS count,
        day_start
    FROM
        (SELECT
            ${total} AS total,
            toStartOfDay(timestamp) AS day_start
        FROM
            events AS e
        WHERE
            and(${range}, equals(event, '$pageview'))
        GROUP BY
            day_start)
    GROUP BY
        day_start
    ORDER BY
        day_start ASC)
ORDER BY
    arraySum(total) DESC
LIMIT 50000`;

/** One number. */
export const printedTotal = `SELECT
    count() AS total
FROM
    events AS e
WHERE
    and(${range}, equals(event, '$pageview'))
ORDER BY
    1 DESC
LIMIT 50000`;

const OTHER = `'$$_posthog_breakdown_other_$$'`;
const NONE = `'$$_posthog_breakdown_null_$$'`;
const valueOf = (sql: string): string => `ifNull(nullIf(left(toString(${sql}), 400), ''), ${NONE})`;

/** Lines by a property; its values as a list where `isList`, as with several breakdowns. */
export function printedBreakdown(property: string, isList: boolean): string {
  const is = (text: string): string =>
    isList ? `has(breakdown_value, ${text})` : `equals(breakdown_value, ${text})`;
  const isOther = `ifNull(ifNull(greaterOrEquals(row_number, 25), 0), 0)`;
  const shown = isList
    ? `arrayMap(i -> if(${isOther}, ${OTHER}, i), breakdown_value)`
    : `if(${isOther}, ${OTHER}, breakdown_value)`;
  const order = `if(${is(OTHER)}, 2, if(${is(NONE)}, 1, 0)) ASC, arraySum(total) DESC, breakdown_value ASC`;
  const key = isList ? '[breakdown_value_1]' : 'breakdown_value_1';
  return `SELECT
    groupArray(1)(date)[1] AS date,
    arrayFold((acc, x) -> arrayMap(i -> plus(acc[i], x[i]), range(1, plus(length(date), 1))), groupArray(ifNull(total, 0)), arrayWithConstant(length(date), reinterpretAsFloat64(0))) AS total,
    ${shown} AS breakdown_value
FROM
    (SELECT
        ${DATES} AS date,
        ${ON_DAYS} AS total,
        breakdown_value AS breakdown_value,
        rowNumberInAllBlocks() AS row_number
    FROM
        (SELECT
            sum(total) AS count,
            day_start AS day_start,
            ${key} AS breakdown_value
        FROM
            (SELECT
                count() AS total,
                toStartOfDay(timestamp) AS day_start,
                ${valueOf(property)} AS breakdown_value_1
            FROM
                events AS e
            WHERE
                and(${range}, equals(event, '$pageview'))
            GROUP BY
                day_start,
                breakdown_value_1)
        GROUP BY
            day_start,
            breakdown_value_1
        ORDER BY
            day_start ASC,
            breakdown_value ASC)
    GROUP BY
        breakdown_value
    ORDER BY
        ${order})
WHERE
    ${isList ? 'arrayExists(x -> isNotNull(x), breakdown_value)' : 'isNotNull(breakdown_value)'}
GROUP BY
    breakdown_value
ORDER BY
    ${order}
LIMIT 50000`;
}

/** Lines by bins of a number. */
export function printedBins(property: string, bins: number): string {
  const width = `divide(minus(max_num, min_num), bin_count)`;
  const bin = `arrayFilter(x -> and(lessOrEquals(x[1], breakdown_value_1), less(breakdown_value_1, x[2])), buckets[1])[1]`;
  const inner = (more: string): string => `SELECT
            count() AS total,
            toStartOfDay(timestamp) AS day_start,
            toFloat(${property}) AS breakdown_value_1${more}
        FROM
            events AS e
        WHERE
            and(${range}, equals(event, 'signup'))
        GROUP BY
            day_start,
            breakdown_value_1`;
  const extreme = (name: string): string =>
    `(SELECT [${name}(breakdown_value_1)] FROM min_max) AS ${name}_nums`;
  const buckets = `arrayMap((max_num, min_num, bin_count) -> arrayMap(x -> [plus(multiply(${width}, x), min_num), plus(plus(multiply(${width}, plus(x, 1)), min_num), if(equals(plus(x, 1), bin_count), 0.01, 0))], range(bin_count)), max_nums, min_nums, [${bins}]) AS buckets`;
  return `SELECT
    sum(count) AS total,
    breakdown_value
FROM
    (WITH
        min_max AS (${inner('')})
    SELECT
        sum(total) AS count,
        day_start,
        [if(empty(${bin}), ${NONE}, ${valueOf(bin)})] AS breakdown_value
    FROM
        (${inner(`, ${extreme('max')}, ${extreme('min')}, ${buckets}`)})
    GROUP BY
        day_start,
        breakdown_value
    ORDER BY
        day_start ASC,
        breakdown_value ASC)
GROUP BY
    breakdown_value
ORDER BY
    breakdown_value ASC`;
}

export interface PrintedFunnel {
  readonly order: 'ordered' | 'strict' | 'unordered';
  readonly steps: readonly string[];
  /** The condition of an exclusion between the first two steps. */
  readonly exclusion?: string;
  /** SQL of the breakdown value. */
  readonly breakdown?: string;
  /** Whether the optional steps are left out, as older versions do. */
  readonly isOlder?: boolean;
}

const WINDOW = 14 * 86_400;

const funnelEvents = ({ order, steps, exclusion, breakdown }: PrintedFunnel): string => {
  const wanted = `in(event, tuple(${steps.map((one) => `'${one}'`).join(', ')}))`;
  const flags = steps.map((_, at) => `equals(step_${at}, 1)`);
  const excluded = exclusion === undefined ? [] : [`if(${exclusion}, 1, 0) AS exclusion_1`];
  const isExcluded = exclusion === undefined ? [] : ['equals(exclusion_1, 1)'];
  const within = `and(greaterOrEquals(e.timestamp, toDateTime('${FROM}.000000')), lessOrEquals(e.timestamp, toDateTime('${TO}.999999')))`;
  return `(SELECT
                e.timestamp AS timestamp,
                person_id AS aggregation_target,
                e.uuid AS uuid,
                e.$session_id AS $session_id,
                e.$window_id AS $window_id,
                ${[...steps.map((one, at) => `if(equals(event, '${one}'), 1, 0) AS step_${at}`), ...excluded].join(',\n                ')}${breakdown === undefined ? '' : `,\n                [ifNull(toString(${breakdown}), '')] AS prop_basic,\n                prop_basic AS prop`}
            FROM
                events AS e
            WHERE
                ${order === 'strict' ? within : `and(and(${within}, ${exclusion === undefined ? wanted : `or(${wanted}, ${exclusion})`}), or(${[...flags, ...isExcluded].join(', ')}))`})`;
};

/** What a person of a funnel is; `more` are further columns. */
function funnelPersons(funnel: PrintedFunnel, more = ''): string {
  const { order, steps, exclusion, breakdown, isOlder } = funnel;
  const numbers = [
    ...steps.map((_, at) => `multiply(${at + 1}, step_${at})`),
    ...(exclusion === undefined ? [] : ['multiply(-2, exclusion_1)']),
  ];
  const value = breakdown === undefined ? `''` : `arrayMap(x -> ifNull(x, ''), prop_basic)`;
  const values =
    breakdown === undefined
      ? `['']`
      : `argMinIf(prop_basic, timestamp, notEmpty(arrayFilter(x -> notEmpty(x), prop_basic)))`;
  const [name, given] =
    breakdown === undefined
      ? ['aggregate_funnel', 'prop']
      : ['aggregate_funnel_array', `[if(empty(prop), [''], prop)]`];
  const isSame = (at: number): string => `equals(x.${at}, x_before.${at}), equals(x.${at}, x_after.${at})`;
  const events =
    order === 'ordered'
      ? `arrayFilter((x, x_before, x_after) -> not(and(lessOrEquals(length(x.4), 1), ${isSame(4)}, ${isSame(3)}, greater(x.1, x_before.1), less(x.1, x_after.1))), events_array, arrayRotateRight(events_array, 1), arrayRotateLeft(events_array, 1))`
      : 'events_array';
  return `(SELECT
            arraySort(t -> t.1, groupArray(tuple(toFloat(timestamp), uuid, ${value}, arrayFilter(x -> notEquals(x, 0), [${numbers.join(', ')}])))) AS events_array,
            ${values} AS prop,
            arrayJoin(${name}(${steps.length}, ${WINDOW}, 'first_touch', '${order}', ${given}, ${isOlder === true ? '' : '[], '}${events})) AS af_tuple,
            af_tuple.1 AS step_reached,
            plus(af_tuple.1, 1) AS steps,
            af_tuple.2 AS breakdown,
            af_tuple.3 AS timings,
            af_tuple.5 AS steps_bitfield,${more}
            aggregation_target
        FROM
            ${funnelEvents(funnel)}
        GROUP BY
            aggregation_target
        HAVING
            greaterOrEquals(step_reached, 0))`;
}

/** Counts and times of the steps. */
export function printedFunnel(funnel: PrintedFunnel): string {
  const { steps, breakdown } = funnel;
  const later = steps.slice(1).map((_, at) => at + 1);
  const all = steps.map((_, at) => at + 1);
  const time = (name: string) => (at: number) =>
    `arrayMap(x -> if(isNaN(x), NULL, x), [${name}Array(step_${at}_conversion_times)])[1] AS step_${at}_${name === 'avg' ? 'average' : name}_conversion_time`;
  const counts = all.map(
    (at) => `countIf(notEquals(bitAnd(steps_bitfield, ${2 ** (at - 1)}), 0)) AS step_${at}`,
  );
  const times = later.map(
    (at) => `groupArrayIf(timings[${at}], greater(timings[${at}], 0)) AS step_${at}_conversion_times`,
  );
  const order = all
    .toReversed()
    .map((at) => `step_${at} DESC`)
    .join(', ');
  return `SELECT
    ${[...all.map((at) => `sum(step_${at}) AS step_${at}`), ...later.map(time('avg')), ...later.map(time('median'))].join(',\n    ')},
    groupArray(row_number) AS row_number,
    final_prop
FROM
    (SELECT
        ${[...counts, ...times].join(',\n        ')},
        rowNumberInAllBlocks() AS row_number,
        ${breakdown === undefined ? 'breakdown' : `if(less(row_number, 25), breakdown, ['Other'])`} AS final_prop
    FROM
        ${funnelPersons(funnel)}
    GROUP BY
        breakdown
    ORDER BY
        ${order})
GROUP BY
    final_prop
ORDER BY
    ${order}
LIMIT 26`;
}

/** Who came as far as a step, with the events of it. */
export const printedFunnelActors = (funnel: PrintedFunnel, step: number): string => `SELECT
    source.actor_id AS actor_id,
    persons.properties AS properties,
    source.matching_events AS matching_events
FROM
    (SELECT
        aggregation_target AS actor_id,
        matched_events_array[${step}] AS matching_events
    FROM
        ${funnelPersons(
          funnel,
          `
            af_tuple.4 AS matched_event_uuids_array_array,
            groupArray(tuple(timestamp, uuid, $session_id, $window_id)) AS user_events,
            mapFromArrays(arrayMap(x -> x.2, user_events), user_events) AS user_events_map,
            arrayMap(matched_event_uuids_array -> arrayMap(event_uuid -> user_events_map[event_uuid], arrayDistinct(matched_event_uuids_array)), matched_event_uuids_array_array) AS matched_events_array,`,
        )}
    WHERE
        greaterOrEquals(step_reached, ${step - 1})
    ORDER BY
        aggregation_target ASC) AS source
    INNER JOIN persons ON equals(persons.id, source.actor_id)
ORDER BY
    actor_id ASC
LIMIT 101
OFFSET 0`;

/** How many converted of those who began on each day. */
export const printedFunnelTrends = (funnel: PrintedFunnel): string => `SELECT
    fill.entrance_period_start AS entrance_period_start,
    countIf(notEquals(success_bool, 0)) AS reached_from_step_count,
    countIf(equals(success_bool, 1)) AS reached_to_step_count,
    if(greater(reached_from_step_count, 0), round(multiply(divide(reached_to_step_count, reached_from_step_count), 100), 2), 0) AS conversion_rate,
    breakdown AS prop
FROM
    (SELECT
        arraySort(t -> t.1, groupArray(tuple(toFloat(timestamp), _toUInt64(toDateTime(toStartOfDay(timestamp))), uuid, '', arrayFilter(x -> notEquals(x, 0), [${funnel.steps.map((_, at) => `multiply(${at + 1}, step_${at})`).join(', ')}])))) AS events_array,
        [''] AS prop,
        arrayJoin(aggregate_funnel_trends(1, ${funnel.steps.length}, ${funnel.steps.length}, ${WINDOW}, 'first_touch', '${funnel.order}', prop, events_array)) AS af_tuple,
        toTimeZone(toDateTime(_toUInt64(af_tuple.1)), 'UTC') AS entrance_period_start,
        af_tuple.2 AS success_bool,
        af_tuple.3 AS breakdown,
        aggregation_target AS aggregation_target
    FROM
        ${funnelEvents(funnel)}
    GROUP BY
        aggregation_target) AS data
    RIGHT OUTER JOIN (SELECT
        plus(toStartOfDay(assumeNotNull(toDateTime(('${FROM}')))), toIntervalDay(number)) AS entrance_period_start
    FROM
        numbers(plus(dateDiff('day', toStartOfDay(assumeNotNull(toDateTime(('${FROM}')))), toStartOfDay(assumeNotNull(toDateTime(('${TO}'))))), 1)) AS period_offsets) AS fill ON equals(data.entrance_period_start, fill.entrance_period_start)
GROUP BY
    entrance_period_start,
    data.breakdown
ORDER BY
    entrance_period_start ASC
LIMIT 1000`;

const truncated = (sql: string): string => `dateTrunc('day', ${sql})`;
const lifecycleRange = `and(lessOrEquals(start_of_period, ${truncated(moment(TO))}), greaterOrEquals(start_of_period, ${truncated(moment(FROM))}))`;

/** New, returning, resurrecting and dormant persons on each day. */
export const printedLifecycle = `SELECT
    groupArray(start_of_period) AS date,
    groupArray(counts) AS total,
    status
FROM
    (SELECT
        if(equals(status, 'dormant'), negate(sum(counts)), negate(negate(sum(counts)))) AS counts,
        start_of_period,
        status
    FROM
        (SELECT
            periods.start_of_period AS start_of_period,
            0 AS counts,
            status
        FROM
            (SELECT
                minus(${truncated(moment(TO))}, toIntervalDay(number)) AS start_of_period
            FROM
                numbers(dateDiff('day', ${truncated(moment(FROM))}, ${truncated(`plus(${moment(TO)}, toIntervalDay(1))`)})) AS numbers) AS periods
            CROSS JOIN (SELECT
                status
            FROM
                (SELECT
                    1)
            ARRAY JOIN ['new', 'returning', 'resurrecting', 'dormant'] AS status) AS sec
        ORDER BY
            status ASC,
            start_of_period ASC
        UNION ALL
        SELECT
            start_of_period,
            count(DISTINCT person_id) AS counts,
            status
        FROM
            (SELECT
                events.person.id AS person_id,
                min(events.person.created_at) AS created_at,
                arraySort(groupUniqArray(${truncated('events.timestamp')})) AS all_activity,
                arrayPopBack(arrayPushFront(all_activity, ${truncated('created_at')})) AS previous_activity,
                arrayPopFront(arrayPushBack(all_activity, ${truncated(`toDateTime('1970-01-01 00:00:00')`)})) AS following_activity,
                arrayMap((previous, current, index) -> if(equals(previous, current), 'new', if(and(equals(minus(current, toIntervalDay(1)), previous), notEquals(index, 1)), 'returning', 'resurrecting')), previous_activity, all_activity, arrayEnumerate(all_activity)) AS initial_status,
                arrayMap((current, next) -> if(equals(plus(current, toIntervalDay(1)), next), '', 'dormant'), all_activity, following_activity) AS dormant_status,
                arrayMap(x -> plus(x, toIntervalDay(1)), arrayFilter((current, is_dormant) -> equals(is_dormant, 'dormant'), all_activity, dormant_status)) AS dormant_periods,
                arrayMap(x -> 'dormant', dormant_periods) AS dormant_label,
                arrayConcat(arrayZip(all_activity, initial_status), arrayZip(dormant_periods, dormant_label)) AS temp_concat,
                arrayJoin(temp_concat) AS period_status_pairs,
                period_status_pairs.1 AS start_of_period,
                period_status_pairs.2 AS status
            FROM
                events
            WHERE
                and(greaterOrEquals(timestamp, minus(${truncated(moment(FROM))}, toIntervalDay(1))), less(timestamp, plus(${truncated(moment(TO))}, toIntervalDay(1))), equals(event, '$pageview'))
            GROUP BY
                person_id)
        GROUP BY
            start_of_period,
            status)
    WHERE
        ${lifecycleRange}
    GROUP BY
        start_of_period,
        status
    ORDER BY
        start_of_period ASC)
GROUP BY
    status
ORDER BY
    status ASC
LIMIT 10000`;

/** On how many days persons did it. */
export const printedStickiness = `SELECT
    groupArray(num_actors) AS counts,
    groupArray(num_intervals) AS intervals
FROM
    (SELECT
        sum(num_actors) AS num_actors,
        num_intervals
    FROM
        (SELECT
            0 AS num_actors,
            plus(number, 1) AS num_intervals
        FROM
            numbers(ceil(divide(dateDiff('day', ${dayOf(moment(FROM))}, plus(${dayOf(moment(TO))}, toIntervalDay(1))), 1))) AS numbers
        UNION ALL
        SELECT
            count(DISTINCT aggregation_target) AS num_actors,
            num_intervals
        FROM
            (SELECT
                aggregation_target,
                count() AS num_intervals
            FROM
                (SELECT
                    e.person_id AS aggregation_target,
                    ${dayOf('e.timestamp')} AS start_of_interval
                FROM
                    events AS e
                WHERE
                    and(${range}, equals(event, '$pageview'))
                GROUP BY
                    aggregation_target,
                    start_of_interval
                HAVING
                    greater(count(), 0))
            GROUP BY
                aggregation_target)
        GROUP BY
            num_intervals
        ORDER BY
            num_intervals ASC)
    GROUP BY
        num_intervals
    ORDER BY
        num_intervals ASC)
LIMIT 50000`;

const retained = `and(greaterOrEquals(events.timestamp, toStartOfDay(${moment(FROM)})), less(events.timestamp, toDateTime('2026-11-21 00:00:00.000000')))`;
const retainedDays = `arraySort(groupUniqArrayIf(toStartOfDay(events.timestamp), and(equals(events.event, '$pageview'), ${retained})))`;

/** How many came back so many days after each day. */
export const printedRetention = `SELECT
    actor_activity.start_interval_index AS start_event_matching_interval,
    actor_activity.intervals_from_base AS intervals_from_base,
    COUNT(DISTINCT actor_activity.actor_id) AS count
FROM
    (SELECT
        events.person_id AS actor_id,
        ${retainedDays} AS start_event_timestamps,
        arrayMap(x -> plus(toStartOfDay(${moment(FROM)}), toIntervalDay(x)), range(0, 5)) AS date_range,
        ${retainedDays} AS return_event_timestamps,
        arrayJoin(arrayFilter(x -> greater(x, -1), arrayMap((interval_index, interval_date) -> if(has(start_event_timestamps, interval_date), minus(interval_index, 1), -1), arrayEnumerate(date_range), date_range))) AS start_interval_index,
        arrayJoin(arrayConcat(if(has(start_event_timestamps, date_range[plus(start_interval_index, 1)]), [0], []), arrayFilter(x -> greater(x, 0), arrayMap(_timestamp -> minus(indexOf(arraySlice(date_range, plus(start_interval_index, 1), 5), _timestamp), 1), return_event_timestamps)))) AS intervals_from_base
    FROM
        events
    WHERE
        and(1, ${retained}, in(event, tuple('$pageview')), or(equals(events.event, '$pageview'), equals(events.event, '$pageview')))
    GROUP BY
        actor_id) AS actor_activity
GROUP BY
    start_event_matching_interval,
    intervals_from_base
ORDER BY
    start_event_matching_interval ASC,
    intervals_from_base ASC`;

/** Which pages follow each other. */
export const printedPaths = `SELECT
    last_path_key AS source_event,
    path_key AS target_event,
    COUNT(*) AS event_count,
    avg(conversion_time) AS average_conversion_time
FROM
    (SELECT
        person_id,
        path,
        conversion_time,
        event_in_session_index,
        concat(toString(event_in_session_index), '_', path) AS path_key,
        if(greater(event_in_session_index, 1), concat(toString(minus(event_in_session_index, 1)), '_', prev_path), NULL) AS last_path_key,
        path_dropoff_key
    FROM
        (SELECT
            person_id,
            joined_path_tuple.1 AS path,
            joined_path_tuple.2 AS conversion_time,
            joined_path_tuple.3 AS prev_path,
            event_in_session_index,
            session_index,
            arrayPopFront(arrayPushBack(path_basic, '')) AS path_basic_0,
            arrayMap((x, y) -> if(equals(x, y), 0, 1), path_basic, path_basic_0) AS mapping,
            arrayFilter((x, y) -> y, time, mapping) AS timings,
            arrayFilter((x, y) -> y, path_basic, mapping) AS compact_path,
            indexOf(compact_path, NULL) AS target_index,
            if(greater(target_index, 0), arraySlice(compact_path, target_index), compact_path) AS filtered_path,
            arraySlice(filtered_path, 1, 5) AS limited_path,
            if(greater(target_index, 0), arraySlice(timings, target_index), timings) AS filtered_timings,
            arraySlice(filtered_timings, 1, 5) AS limited_timings,
            arrayDifference(limited_timings) AS timings_diff,
            concat(toString(length(limited_path)), '_', limited_path[-1]) AS path_dropoff_key,
            arrayZip(limited_path, timings_diff, arrayPopBack(arrayPushFront(limited_path, ''))) AS limited_path_timings
        FROM
            (SELECT
                person_id,
                path_time_tuple.1 AS path_basic,
                path_time_tuple.2 AS time,
                session_index,
                arrayZip(path_list, timing_list, arrayDifference(timing_list)) AS paths_tuple,
                arraySplit(x -> if(less(x.3, 1800), 0, 1), paths_tuple) AS session_paths
            FROM
                (SELECT
                    person_id,
                    groupArray(timestamp) AS timing_list,
                    groupArray(path_item) AS path_list
                FROM
                    (SELECT
                        events.timestamp,
                        events.person_id,
                        ifNull(if(equals(event, '$pageview'), replaceRegexpAll(ifNull(properties.$current_url, ''), '(.)/$', '\\\\1'), event), '') AS path_item_ungrouped,
                        NULL AS groupings,
                        multiMatchAnyIndex(path_item_ungrouped, NULL) AS group_index,
                        (if(greater(group_index, 0), groupings[group_index], path_item_ungrouped) AS path_item) AS path_item
                    FROM
                        events
                    WHERE
                        and(${range.replaceAll('timestamp', 'events.timestamp')}, in(event, tuple('$pageview', 'signup', 'help')))
                    ORDER BY
                        person_id ASC,
                        events.timestamp ASC)
                GROUP BY
                    person_id)
            ARRAY JOIN session_paths AS path_time_tuple, arrayEnumerate(session_paths) AS session_index)
        ARRAY JOIN limited_path_timings AS joined_path_tuple, arrayEnumerate(limited_path_timings) AS event_in_session_index))
WHERE
    notEquals(source_event, NULL)
GROUP BY
    source_event,
    target_event
ORDER BY
    event_count DESC,
    source_event ASC,
    target_event ASC
LIMIT 50`;

/** Who is behind the number of a day. */
export const printedTrendsActors = `SELECT
    persons.id AS id,
    persons.properties AS properties,
    source.event_count AS event_count,
    source.matching_events AS matching_events
FROM
    (SELECT
        actor_id,
        count() AS event_count,
        groupUniqArray(100)(tuple(timestamp, uuid, $session_id, $window_id)) AS matching_events
    FROM
        (SELECT
            e.person_id AS actor_id,
            e.timestamp AS timestamp,
            e.uuid AS uuid,
            e.$session_id AS $session_id,
            e.$window_id AS $window_id
        FROM
            events AS e
        WHERE
            and(equals(event, '$pageview'), greaterOrEquals(timestamp, toDateTime('2026-11-16 00:00:00.000000')), less(timestamp, toDateTime('2026-11-17 00:00:00.000000'))))
    GROUP BY
        actor_id) AS source
    INNER JOIN persons ON equals(persons.id, source.actor_id)
ORDER BY
    event_count DESC,
    id ASC
LIMIT 101
OFFSET 0`;
