import { arrayOf, scalar, tupleOf, withNull } from '../../value-type.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asNumber, asText, asWhole, isNullable, writtenSize } from '../read-argument.ts';

const FLOAT = scalar('Float64');
const BOOL = scalar('Bool');
const STRING = scalar('String');

/** Metres; the mean radius of the earth that ClickHouse counts with. */
const EARTH_RADIUS = 6_371_000;
/** The letters of a geohash, each of five bits: those of the base 32 without a, i, l and o. */
const LETTERS = '0123456789bcdefghjkmnpqrstuvwxyz';
const MOST_LETTERS = 12;
/** Geohashes of one box, of sixty bits each. */
const MOST_HASHES = 1_000;
/** Bits of a longitude or a latitude in a geohash of twelve letters. */
const BITS = 30;

/** The angle between two places, in radians, by the haversine formula. */
function angle(places: readonly Printed[], call: CallContext): string {
  const [lon1, lat1, lon2, lat2] = places.map(({ sql }) => sql);
  const half = (a: string, b: string): string => `pow(sin(radians(${b} - ${a}) / 2), 2)`;
  const squared = `${half(lat1!, lat2!)} + cos(radians(${lat1!})) * cos(radians(${lat2!})) * ${half(lon1!, lon2!)}`;
  // Rounding may go beyond 1, where there is no angle.
  return `(2 * asin(${once(`sqrt(${squared})`, call, (x) => `(CASE WHEN ${x} > 1 THEN 1 ELSE ${x} END)`)}))`;
}

/** `greatCircleDistance(lon1, lat1, lon2, lat2)`, in a measure of the angle. */
function betweenPlaces(name: string, measure: (radians: string) => string): FunctionRow {
  return typed(name, 4, (args, call) => {
    const places = args.map((one, at) => asNumber(one, call, at));
    return { sql: measure(angle(places, call)), type: withNull(FLOAT, isNullable(places)) };
  });
}

/** The ellipsoid of WGS 84: its radius at the equator, in metres, and how flat it is. */
const EQUATOR_RADIUS = 6_378_137;
const FLATTENING = 1 / 298.257223563;

/**
 * `geoDistance(lon1, lat1, lon2, lat2)`: along the ellipsoid of WGS 84, by Lambert's formula for long lines, which is wrong
 * by some metres in thousands of kilometres, and by more between places that are nearly opposite to each other.
 */
function alongEllipsoid(args: readonly Printed[], call: CallContext): Printed {
  const places = args.map((one, at) => asNumber(one, call, at));
  const [lon1, lat1, lon2, lat2] = places;
  const reduced = ({ sql, type }: Printed): Printed => ({
    sql: `degrees(atan(${1 - FLATTENING} * tan(radians(${sql}))))`,
    type,
  });
  const central = angle([lon1!, reduced(lat1!), lon2!, reduced(lat2!)], call);
  const half = (sign: '+' | '-'): string =>
    `radians(${reduced(lat2!).sql} ${sign} ${reduced(lat1!).sql}) / 2`;
  const sql = onceEach([central, half('+'), half('-')], call, (arc, p, q) => {
    const x = `(${arc!} - sin(${arc!})) * pow(sin(${p!}) * cos(${q!}) / cos(${arc!} / 2), 2)`;
    const y = `(${arc!} + sin(${arc!})) * pow(cos(${p!}) * sin(${q!}) / sin(${arc!} / 2), 2)`;
    const line = `${EQUATOR_RADIUS} * (${arc!} - ${FLATTENING / 2} * (${x} + ${y}))`;
    return `(CASE WHEN ${arc!} = 0 THEN 0 ELSE ${line} END)`;
  });
  return { sql, type: withNull(FLOAT, isNullable(places)) };
}

/** `pointInEllipses(x, y, x0, y0, a0, b0, …)`: within one of them, which have a centre and two half axes each. */
function inEllipses(args: readonly Printed[], call: CallContext): Printed {
  if (args.length % 4 !== 2)
    return call.refuse('Each ellipse requires four numbers: its center and its semi-axes.');
  const values = args.map((one, at) => asNumber(one, call, at).sql);
  const [x, y, ...ellipses] = values;
  const within = Array.from({ length: ellipses.length / 4 }, (_, at) => {
    const [x0, y0, a, b] = ellipses.slice(at * 4, at * 4 + 4);
    return `pow((${x!} - ${x0!}) / ${a!}, 2) + pow((${y!} - ${y0!}) / ${b!}, 2) <= 1`;
  });
  return { sql: `(${within.join(' OR ')})`, type: withNull(BOOL, isNullable(args)) };
}

/** The two numbers of a tuple, as SQL. */
function pointOf(point: Printed, call: CallContext, at: number): [string, string] {
  if (point.type.name !== 'Tuple' || point.type.items.length !== 2) {
    return call.refuse('Expected a tuple of two numbers.', at);
  }
  const [x, y] = point.type.items.map(
    (type, part) => asNumber({ sql: tuplePartSql(point.sql, part + 1), type }, call, at).sql,
  );
  return [x!, y!];
}

/** `pointInPolygon((x, y), [(a, b), …])`: whether a ray from the point crosses the border an odd number of times. */
function inPolygon([point, polygon]: readonly Printed[], call: CallContext): Printed {
  if (polygon!.type.name !== 'Array') return call.refuse('Expected an array of tuples.', 1);
  const { item } = polygon!.type;
  const sql = onceEach([...pointOf(point!, call, 0), polygon!.sql], call, (x, y, corners) => {
    const [corner, at] = [call.fresh(), call.fresh()];
    const [xi, yi] = pointOf({ sql: corner, type: item }, call, 1);
    // The last corner precedes the first one.
    const before = `${corners!}[CASE ${at} WHEN 1 THEN len(${corners!}) ELSE ${at} - 1 END]`;
    const [xj, yj] = pointOf({ sql: before, type: item }, call, 1);
    const crossing = `(${yi} > ${y!}) <> (${yj} > ${y!}) AND ${x!} < (${xj} - ${xi}) * (${y!} - ${yi}) / (${yj} - ${yi}) + ${xi}`;
    return `(len(list_filter(${corners!}, lambda ${corner}, ${at}: ${crossing})) % 2 = 1)`;
  });
  return { sql, type: withNull(BOOL, isNullable([point!, polygon!])) };
}

/** Which of so many equal parts of a range around 0 a value is in, from 0; what is outside is in the first or last one. */
function partOf(value: Printed, range: number): string {
  const parts = 2 ** BITS;
  const at = `(${value.sql} / ${range} + 0.5)`;
  return `(CASE WHEN ${at} >= 1 THEN ${parts - 1} WHEN ${at} < 0 THEN 0 ELSE CAST(floor(${at} * ${parts}) AS BIGINT) END)`;
}

/** `geohashEncode(longitude, latitude, [precision])`: bits of both by turns, the longitude first, five for each letter. */
function geohashEncode(args: readonly Printed[], call: CallContext): Printed {
  const [longitude, latitude] = args.slice(0, 2).map((one, at) => asNumber(one, call, at));
  const wanted = args[2] === undefined ? String(MOST_LETTERS) : asWhole(args[2], call, 2).sql;
  const [letter, bit] = [call.fresh(), call.fresh()];
  const sql = onceEach([partOf(longitude!, 360), partOf(latitude!, 180), wanted], call, (x, y, size) => {
    const place = `(5 * ${letter} + ${bit})`;
    const both = `(CASE ${place} % 2 WHEN 0 THEN ${x!} ELSE ${y!} END)`;
    const bits = `list_transform(range(5), lambda ${bit}: ((${both} >> (${BITS - 1} - ${place} // 2)) & 1) << (4 - ${bit}))`;
    const letters = `list_transform(range(${MOST_LETTERS}), lambda ${letter}: substring('${LETTERS}', 1 + CAST(list_sum(${bits}) AS BIGINT), 1))`;
    const length = `(CASE WHEN ${size!} BETWEEN 1 AND ${MOST_LETTERS} THEN ${size!} ELSE ${MOST_LETTERS} END)`;
    return `(CASE WHEN ${x!} IS NOT NULL AND ${y!} IS NOT NULL THEN left(array_to_string(${letters}, ''), ${length}) END)`;
  });
  return { sql, type: withNull(STRING, isNullable([longitude!, latitude!])) };
}

/** `geohashDecode(text)`: longitude and latitude of the middle of what a geohash covers. */
function geohashDecode([text]: readonly Printed[], call: CallContext): Printed {
  const value = asText(text!, call, 0);
  const sql = onceEach([`left(lower(${value.sql}), ${MOST_LETTERS})`], call, (hash) => {
    const [k, sum] = [call.fresh(), call.fresh()];
    const bit = `(((instr('${LETTERS}', substring(${hash!}, 1 + ${k} // 5, 1)) - 1) >> (4 - ${k} % 5)) & 1)`;
    const middle = (parity: 0 | 1, range: number): string => {
      const places = `list_filter(range(5 * length(${hash!})), lambda ${k}: ${k} % 2 = ${parity})`;
      const parts = `list_transform(${places}, lambda ${k}: CAST(${bit} AS DOUBLE) / pow(2, ${k} // 2 + 1))`;
      const cell = `pow(2, -len(${places}) - 1)`;
      return `(list_reduce(${parts}, lambda ${sum}, ${k}: ${sum} + ${k}, CAST(0 AS DOUBLE)) + ${cell}) * ${range} - ${range / 2}`;
    };
    const isHash = `regexp_full_match(${hash!}, '[${LETTERS}]+')`;
    return `(CASE WHEN ${isHash} THEN ${tupleSql([middle(0, 360), middle(1, 180)])} ELSE ${tupleSql(['CAST(0 AS DOUBLE)', 'CAST(0 AS DOUBLE)'])} END)`;
  });
  return { sql, type: tupleOf([FLOAT, FLOAT], value.type.nullable) };
}

/** `geohashesInBox(lon1, lat1, lon2, lat2, precision)`: the geohashes of that precision that touch a box of degrees. */
function geohashesInBox(args: readonly Printed[], call: CallContext): Printed {
  const sides = args.slice(0, 4).map((one, at) => asNumber(one, call, at).sql);
  const precision = writtenSize(args, 4, call, 'The precision');
  if (precision > MOST_LETTERS) return call.refuse(`The precision can be up to ${MOST_LETTERS}.`, 4);
  const size = { x: 360 / 2 ** Math.ceil(2.5 * precision), y: 180 / 2 ** Math.floor(2.5 * precision) };
  const cell = (side: string, range: number, degrees: number): string => {
    const within = `greatest(least(${side}, ${range / 2}), ${-range / 2})`;
    return `CAST(least(floor((${within} + ${range / 2}) / ${degrees}), ${range / degrees - 1}) AS BIGINT)`;
  };
  const cells = sides.map((side, at) => (at % 2 === 0 ? cell(side, 360, size.x) : cell(side, 180, size.y)));
  const sql = onceEach(cells, call, (left, low, right, high) => {
    const [x, y] = [call.fresh(), call.fresh()];
    const middle = (at: string, degrees: number, range: number): Printed => ({
      sql: `((${at} + 0.5) * ${degrees} - ${range / 2})`,
      type: FLOAT,
    });
    const written: Printed = { sql: String(precision), type: scalar('Int64') };
    const hash = geohashEncode([middle(x, size.x, 360), middle(y, size.y, 180), written], call).sql;
    const column = `list_transform(range(${low!}, ${high!} + 1), lambda ${y}: ${hash})`;
    const all = `flatten(list_transform(range(${left!}, ${right!} + 1), lambda ${x}: ${column}))`;
    const count = `(${right!} - ${left!} + 1)::DOUBLE * (${high!} - ${low!} + 1)`;
    return unlessTooLarge(`${left!} <= ${right!} AND ${low!} <= ${high!} AND ${count} > ${MOST_HASHES}`, all);
  });
  return { sql, type: arrayOf(STRING, isNullable(args)) };
}

/** Places on the earth: longitudes and latitudes in degrees, distances in metres. */
export const geo: readonly FunctionRow[] = [
  betweenPlaces('greatCircleDistance', (radians) => `(${EARTH_RADIUS} * ${radians})`),
  betweenPlaces('greatCircleAngle', (radians) => `degrees(${radians})`),
  typed('geoDistance', 4, alongEllipsoid),
  typed('geohashesInBox', 5, geohashesInBox),
  typed('pointInEllipses', [6, 42], inEllipses),
  typed('pointInPolygon', 2, inPolygon),
  typed('geohashEncode', [2, 3], geohashEncode),
  typed('geohashDecode', 1, geohashDecode),
];
