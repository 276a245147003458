import fc from 'fast-check';

/**
 * Queries over the events of `judged-events.ts`, as texts. Expressions have a type, since the engines refuse different mixtures, and
 * stay where both mean the same by contract: no divisor that may be 0, numbers far from the limits of their types.
 */

type Text = fc.Arbitrary<string>;

/** A template whose parts are arbitraries. */
function text(strings: TemplateStringsArray, ...parts: Text[]): Text {
  return fc.tuple(...parts).map((values) => String.raw({ raw: strings }, ...values));
}

const oneOf = (...values: string[]): Text => fc.constantFrom(...values);
const small = fc.integer({ min: 0, max: 9 }).map(String);
const word = oneOf("''", "'a'", "'pro'", "'é'", "'Straße'", "'a,b'", "'%'", "'10'", "'$pageview'", "'x y'");

interface Types {
  number: string;
  text: string;
  bool: string;
  moment: string;
  numbers: string;
  texts: string;
}

/** Expressions of one row, over names of columns of each type. */
function expressions(columns: { number: string[]; text: string[]; bool: string[]; moment: string[] }): {
  [Type in keyof Types]: Text;
} {
  return fc.letrec<Types>((tie) => {
    const of = (type: keyof Types): Text => tie(type) as Text;
    const [number, string, bool, moment] = [of('number'), of('text'), of('bool'), of('moment')];
    const [numbers, texts] = [of('numbers'), of('texts')];
    const deep = { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'judge' } as const;
    return {
      number: fc.oneof(
        deep,
        oneOf(...columns.number),
        small,
        oneOf('0.5', '-3', '2.25'),
        text`(${number} + ${number})`,
        text`(${number} - ${number})`,
        text`(${number} * ${small})`,
        text`(${number} / 4)`,
        text`abs(${number})`,
        text`floor(${number})`,
        text`ceil(${number})`,
        text`if(${bool}, ${number}, ${number})`,
        text`multiIf(${bool}, ${number}, ${bool}, ${number}, ${number})`,
        text`coalesce(${number}, ${small})`,
        text`least(${number}, ${number})`,
        text`greatest(${number}, ${number})`,
        text`toFloat(length(${string}))`,
        text`toFloat(lengthUTF8(${string}))`,
        text`toFloat(position(${string}, ${word}))`,
        text`toFloat(length(${numbers}))`,
        text`toFloat(arraySum(${numbers}))`,
        text`toFloat(indexOf(${texts}, ${word}))`,
        text`toFloat(${numbers}[${oneOf('1', '2', '-1')}])`,
        text`toFloat(toHour(${moment}))`,
        text`toFloat(toDayOfWeek(${moment}))`,
        text`toFloat(toISOWeek(${moment}))`,
        text`toFloat(toYYYYMM(${moment}))`,
        text`toFloat(toUnixTimestamp(${moment}))`,
        text`toFloat(dateDiff(${oneOf("'day'", "'hour'", "'week'", "'month'")}, ${moment}, ${moment}))`,
        text`toFloat(countEqual(${texts}, ${word}))`,
        text`toFloat(arrayCount(x -> (x > 2), ${numbers}))`,
      ),
      text: fc.oneof(
        deep,
        oneOf(...columns.text),
        word,
        text`concat(${string}, ${string})`,
        text`lower(${string})`,
        text`upper(${string})`,
        text`trim(${string})`,
        // By letters: what a cut letter leaves has another order, and is shown as one character.
        text`substringUTF8(${string}, ${oneOf('1', '2', '3')}, ${small})`,
        text`left(${string}, ${small})`,
        text`right(${string}, ${small})`,
        text`replaceAll(${string}, 'a', ${word})`,
        text`if(${bool}, ${string}, ${string})`,
        text`coalesce(${string}, 'none')`,
        text`toString(${small})`,
        text`arrayStringConcat(${texts}, '-')`,
        text`splitByChar(',', ${string})[1]`,
        text`toString(toDate(${moment}))`,
        text`formatDateTime(${moment}, '%Y-%m-%d')`,
        text`nullIf(${string}, ${word})`,
      ),
      bool: fc.oneof(
        deep,
        oneOf(...columns.bool),
        text`(${number} ${oneOf('=', '!=', '<', '<=', '>', '>=')} ${number})`,
        text`(${string} ${oneOf('=', '!=', '<', '>')} ${string})`,
        text`(${moment} ${oneOf('<', '>=')} ${moment})`,
        text`(${bool} AND ${bool})`,
        text`(${bool} OR ${bool})`,
        text`(NOT ${bool})`,
        text`(${string} ${oneOf('LIKE', 'ILIKE', 'NOT LIKE')} ${oneOf("'%a%'", "'p_o'", "'%'", "'%é'")})`,
        text`(${string} IN (${word}, ${word}))`,
        text`(${number} NOT IN (1, 2, 3))`,
        text`(${string} IS NULL)`,
        text`(${number} IS NOT NULL)`,
        text`(${number} BETWEEN ${small} AND ${number})`,
        text`startsWith(${string}, ${word})`,
        text`match(${string}, ${oneOf("'^p'", "'a+'", "'[0-9]'")})`,
        text`empty(${string})`,
        text`has(${texts}, ${word})`,
        text`arrayExists(x -> (x > ${small}), ${numbers})`,
      ),
      moment: fc.oneof(
        deep,
        oneOf(...columns.moment),
        text`toStartOfDay(${moment})`,
        text`toStartOfHour(${moment})`,
        text`(${moment} + INTERVAL ${small} ${oneOf('DAY', 'HOUR', 'MONTH')})`,
        text`(${moment} - INTERVAL ${small} ${oneOf('WEEK', 'MINUTE')})`,
        text`dateTrunc('day', ${moment})`,
        text`if(${bool}, ${moment}, ${moment})`,
      ),
      numbers: fc.oneof(
        deep,
        text`[${small}, ${small}]`,
        text`range(${small})`,
        text`arrayMap(x -> (x + ${small}), ${numbers})`,
        text`arrayFilter(x -> (x != ${small}), ${numbers})`,
        text`arraySort(${numbers})`,
        text`arrayReverse(${numbers})`,
        text`arrayConcat(${numbers}, ${numbers})`,
        text`arraySlice(${numbers}, ${oneOf('1', '2')}, ${small})`,
        text`arrayMap(x -> length(x), ${texts})`,
      ),
      texts: fc.oneof(
        deep,
        text`[${word}, ${word}]`,
        text`splitByChar(',', ${string})`,
        text`arrayMap(x -> concat(x, ${word}), ${texts})`,
        text`arraySort(${texts})`,
        text`arrayDistinct([${word}, ${word}])`,
        text`arrayFilter(x -> (x != ${word}), ${texts})`,
      ),
    };
  });
}

const ofEvents = expressions({
  number: ['properties.n', 'properties.price', 'person.properties.age', 'toFloat(session.$pageview_count)'],
  text: [
    'event',
    'distinct_id',
    'properties.plan',
    'properties.$browser',
    'person.properties.email',
    '$virt_bot_name',
    'properties.$virt_traffic_type',
    // What is joined by its name is NULL in Burrow where there is no row, and never so in ClickHouse.
    "coalesce(person.properties.$virt_initial_channel_type, '')",
    "coalesce(session.$channel_type, '')",
  ],
  bool: ['properties.paid', "(event = '$pageview')", '$virt_is_bot'],
  moment: ['timestamp', "toDateTime('2026-11-18 10:30:00')"],
});
const day = text`${oneOf('toStartOfMonth', 'toDate', 'toStartOfWeek', 'toStartOfQuarter', 'toMonday')}(${ofEvents.moment})`;
const any = fc.oneof(ofEvents.number, ofEvents.text, ofEvents.bool, ofEvents.moment, day);

const aggregateOf = fc.oneof(
  oneOf('count()'),
  text`countIf(${ofEvents.bool})`,
  text`sum(${ofEvents.number})`,
  text`sumIf(${ofEvents.number}, ${ofEvents.bool})`,
  text`avg(${ofEvents.number})`,
  text`min(${ofEvents.number})`,
  text`max(${ofEvents.text})`,
  text`uniq(${ofEvents.text})`,
  text`count(DISTINCT ${ofEvents.text})`,
  text`uniqIf(person_id, ${ofEvents.bool})`,
  text`argMax(${ofEvents.text}, timestamp)`,
  text`argMin(${ofEvents.number}, timestamp)`,
  text`arraySort(groupArray(${ofEvents.text}))`,
  text`arraySort(groupUniqArray(${ofEvents.text}))`,
  text`quantile(0.5)(${ofEvents.number})`,
  text`median(${ofEvents.number})`,
);
const key = fc.oneof(ofEvents.text, text`toStartOfDay(${ofEvents.moment})`, day, ofEvents.bool);

const rows = text`SELECT ${any} AS a, ${any} AS b, ${any} AS c FROM events WHERE ${ofEvents.bool} ORDER BY timestamp LIMIT ${oneOf('5', '20', '100')}`;
const groups = text`SELECT ${key} AS k, ${aggregateOf} AS a, ${aggregateOf} AS b FROM events WHERE ${ofEvents.bool} GROUP BY k ORDER BY k`;
const having = text`SELECT ${key} AS k, count() AS n FROM events GROUP BY k HAVING ${oneOf('n > 2', 'n < 5', 'uniq(distinct_id) > 1')} ORDER BY n DESC, k`;
const whole = text`SELECT ${aggregateOf}, ${aggregateOf}, ${aggregateOf} FROM events WHERE ${ofEvents.bool}`;
const distinct = text`SELECT DISTINCT ${key} AS k FROM events ORDER BY k`;

const inner = expressions({
  number: ['q.n', 'q.m'],
  text: ['q.s', 'q.t'],
  bool: ['(q.n > 1)'],
  moment: ['q.d'],
});
const innerAny = fc.oneof(inner.number, inner.text, inner.bool, inner.moment);
const source = text`(SELECT timestamp AS d, ${ofEvents.number} AS n, ${ofEvents.text} AS s, toFloat(length(${ofEvents.texts})) AS m, ${ofEvents.text} AS t FROM events)`;
const nested = text`SELECT ${innerAny} AS a, ${innerAny} AS b FROM ${source} AS q WHERE ${inner.bool} ORDER BY q.d`;
const named = text`WITH q AS ${source} SELECT ${fc.oneof(inner.text, inner.bool)} AS k, count() AS n, sum(${inner.number}) AS m FROM q GROUP BY k ORDER BY k`;
const union = text`SELECT k, sum(n) AS n FROM (SELECT ${ofEvents.text} AS k, toFloat(${ofEvents.number}) AS n FROM events UNION ALL SELECT ${ofEvents.text} AS k, toFloat(${small}) AS n FROM events) GROUP BY k ORDER BY k`;
const windows = text`SELECT event, ${oneOf('row_number()', 'rank()', 'dense_rank()', 'count()', 'sum(length(event))', 'any(event)', 'lag(event)', 'lead(event)')} OVER (PARTITION BY ${key} ORDER BY timestamp) AS w FROM events ORDER BY timestamp`;
const arrays = text`SELECT x, ${fc.oneof(oneOf('count()'), text`uniq(${ofEvents.text})`)} AS n FROM events ARRAY JOIN ${fc.oneof(ofEvents.numbers, ofEvents.texts)} AS x GROUP BY x ORDER BY x`;
const joins = text`SELECT e.event AS k, count() AS n, max(o.s) AS m FROM events AS e ${oneOf('INNER JOIN', 'LEFT JOIN')} (SELECT distinct_id AS id, max(${ofEvents.text}) AS s FROM events WHERE ${ofEvents.bool} GROUP BY distinct_id) AS o ON e.distinct_id = o.id GROUP BY k ORDER BY k`;
const members = text`SELECT event, count() FROM events WHERE person_id ${oneOf('IN', 'NOT IN')} (SELECT person_id FROM events WHERE ${ofEvents.bool}) GROUP BY event ORDER BY event`;
const limited = text`SELECT distinct_id, event FROM events WHERE ${ofEvents.bool} ORDER BY timestamp LIMIT 2 BY distinct_id`;

/** SELECTs with joins, windows, arrays, lambdas, aggregates, unions and CTEs. */
export const arbitraryQueries: Text = fc.oneof(
  { weight: 3, arbitrary: rows },
  { weight: 3, arbitrary: groups },
  having,
  whole,
  distinct,
  { weight: 2, arbitrary: nested },
  { weight: 2, arbitrary: named },
  union,
  windows,
  arrays,
  joins,
  members,
  limited,
);
