import type { Expected, GoldenTable } from './golden-table.ts';

type Row = readonly [string, Expected];

const BERLIN = [13.405, 52.52] as const;
const SYDNEY = [151.2093, -33.8688] as const;

/** The angle between two places in radians, by the vectors from the middle of the earth. */
function angle([lon1, lat1]: readonly [number, number], [lon2, lat2]: readonly [number, number]): number {
  const vector = (lon: number, lat: number): [number, number, number] => {
    const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
  };
  const [a, b] = [vector(lon1, lat1), vector(lon2, lat2)];
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/** The geohash of a place by halving, and the middle of what it covers. */
function geohash([lon, lat]: readonly [number, number], letters: number): { text: string; middle: number[] } {
  const ranges = [
    [-180, 180],
    [-90, 90],
  ];
  let text = '';
  for (let letter = 0; letter < letters; letter += 1) {
    let value = 0;
    for (let bit = 0; bit < 5; bit += 1) {
      const axis = (letter * 5 + bit) % 2;
      const [low, high] = ranges[axis] as [number, number];
      const half = (low + high) / 2;
      const isUpper = (axis === 0 ? lon : lat) >= half;
      value = value * 2 + Number(isUpper);
      ranges[axis] = isUpper ? [half, high] : [low, half];
    }
    text += '0123456789bcdefghjkmnpqrstuvwxyz'[value]!;
  }
  return { text, middle: ranges.map(([low, high]) => (low! + high!) / 2) };
}

/** Metres along the ellipsoid of WGS 84, by Vincenty's iteration. */
function vincenty([lon1, lat1]: readonly [number, number], [lon2, lat2]: readonly [number, number]): number {
  const [a, f] = [6_378_137, 1 / 298.257223563];
  const b = (1 - f) * a;
  const rad = (degrees: number): number => (degrees * Math.PI) / 180;
  const [u1, u2] = [lat1, lat2].map((lat) => Math.atan((1 - f) * Math.tan(rad(lat)))) as [number, number];
  const length = rad(lon2 - lon1);
  let lambda = length;
  for (let round = 0; ; round += 1) {
    const across = Math.hypot(
      Math.cos(u2) * Math.sin(lambda),
      Math.cos(u1) * Math.sin(u2) - Math.sin(u1) * Math.cos(u2) * Math.cos(lambda),
    );
    const along = Math.sin(u1) * Math.sin(u2) + Math.cos(u1) * Math.cos(u2) * Math.cos(lambda);
    const arc = Math.atan2(across, along);
    const sinA = (Math.cos(u1) * Math.cos(u2) * Math.sin(lambda)) / across;
    const cos2A = 1 - sinA ** 2;
    const cosM = cos2A === 0 ? 0 : along - (2 * Math.sin(u1) * Math.sin(u2)) / cos2A;
    const c = (f / 16) * cos2A * (4 + f * (4 - 3 * cos2A));
    const next = length + (1 - c) * f * sinA * (arc + c * across * (cosM + c * along * (-1 + 2 * cosM ** 2)));
    if (round < 100 && Math.abs(next - lambda) > 1e-12) {
      lambda = next;
      continue;
    }
    const u = (cos2A * (a ** 2 - b ** 2)) / b ** 2;
    const k = (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u)));
    const more = (k / 4) * along * (-1 + 2 * cosM ** 2);
    const delta = k * across * (cosM + more);
    return b * (1 + (u / 16384) * (4096 + u * (-768 + u * (320 - 175 * u)))) * (arc - delta);
  }
}

/** Kilometres, of which both ways know one digit behind the point. */
const kilometres = (metres: number): number => Number((metres / 1000).toFixed(1));

const SQUARE = '[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]';
/** All geohashes that a fine grid of places within a box meets. */
function grid(
  [west, south]: readonly [number, number],
  [east, north]: readonly [number, number],
  letters: number,
): string[] {
  const steps = Array.from({ length: 101 }, (_, at) => at / 100);
  const all = steps.flatMap((x) =>
    steps.map((y) => geohash([west + x * (east - west), south + y * (north - south)], letters).text),
  );
  return [...new Set(all)].toSorted();
}

/** With a bay on its right side. */
const BAY = '[(0.0, 0.0), (4.0, 0.0), (1.0, 2.0), (4.0, 4.0), (0.0, 4.0)]';

const places: GoldenTable = {
  title: 'places on the earth and in the plane',
  rows: [
    [
      `round(greatCircleDistance(${BERLIN.join(', ')}, ${SYDNEY.join(', ')}), 3)`,
      Number((6_371_000 * angle(BERLIN, SYDNEY)).toFixed(3)),
    ],
    [`greatCircleDistance(${BERLIN.join(', ')}, ${BERLIN.join(', ')})`, 0],
    [`greatCircleDistance(0, 0, 180, 0)`, 6_371_000 * Math.PI],
    [`greatCircleDistance(0, NULL, 180, 0)`, null],
    [`greatCircleAngle(0, 0, 45, 0)`, 45],
    [`greatCircleAngle(0, 90, 0, -90)`, 180],
    [
      `round(greatCircleAngle(${BERLIN.join(', ')}, ${SYDNEY.join(', ')}), 6)`,
      Number(((angle(BERLIN, SYDNEY) * 180) / Math.PI).toFixed(6)),
    ],
    [
      `round(geoDistance(${BERLIN.join(', ')}, ${SYDNEY.join(', ')}) / 1000, 1)`,
      kilometres(vincenty(BERLIN, SYDNEY)),
    ],
    [
      `round(geoDistance(38.8976, -77.0366, 39.9496, -75.1503) / 1000, 1)`,
      kilometres(vincenty([38.8976, -77.0366], [39.9496, -75.1503])),
    ],
    [`geoDistance(${BERLIN.join(', ')}, ${BERLIN.join(', ')})`, 0],
    [`geoDistance(NULL, 0, 1, 1)`, null],
    [`arraySort(geohashesInBox(13.3, 52.5, 13.5, 52.55, 5))`, grid([13.3, 52.5], [13.5, 52.55], 5)],
    [`arraySort(geohashesInBox(-180, -90, 180, 90, 1))`, [...'0123456789bcdefghjkmnpqrstuvwxyz']],
    [`geohashesInBox(24.48, 40.56, 24.785, 40.81, 4)`, ['sx1q', 'sx1r', 'sx32', 'sx1w', 'sx1x', 'sx38']],
    [`geohashesInBox(10, 10, 9, 9, 4)`, []],
    [`pointInEllipses(10., 10., 10., 9.1, 1., 0.9999)`, 1],
    [`pointInEllipses(3, 0, 0, 0, 2, 1)`, 0],
    [`pointInEllipses(3, 0, 0, 0, 2, 1, 3.5, 0, 1, 1)`, 1],
    [`pointInPolygon((2.0, 2.0), ${SQUARE})`, 1],
    [`pointInPolygon((5.0, 2.0), ${SQUARE})`, 0],
    [`pointInPolygon((3.0, 2.0), ${BAY})`, 0],
    [`pointInPolygon((3.0, 3.5), ${BAY})`, 1],
    [`geohashEncode(${BERLIN.join(', ')})`, geohash(BERLIN, 12).text],
    [`geohashEncode(${SYDNEY.join(', ')}, 6)`, geohash(SYDNEY, 6).text],
    [`geohashEncode(-5.60302734375, 42.593994140625, 0)`, 'ezs42d000000'],
    [`geohashEncode(NULL, 1)`, null],
    [`geohashDecode('${geohash(BERLIN, 12).text}')`, geohash(BERLIN, 12).middle],
    [`geohashDecode('r3gx')`, geohash(SYDNEY, 4).middle],
    [`geohashDecode('a!')`, [0, 0]],
  ],
};

/** Parts of so many letters, and how often each is there. */
function parts(text: string, size: number): Map<string, number> {
  const letters = Array.from(text);
  const found = new Map<string, number>();
  for (let at = 0; at + size <= letters.length; at += 1) {
    const part = letters.slice(at, at + size).join('');
    found.set(part, (found.get(part) ?? 0) + 1);
  }
  return found;
}
const total = (of: Map<string, number>): number => [...of.values()].reduce((sum, count) => sum + count, 0);
function common(a: Map<string, number>, b: Map<string, number>): number {
  return [...a].reduce((sum, [part, count]) => sum + Math.min(count, b.get(part) ?? 0), 0);
}

const HAY = 'an event, an event and a person';
const NEEDLES = ['An event', 'personal', 'zzzzz'];

function resembling(name: string, size: number, isSearch: boolean): Row[] {
  const isCaseless = name.includes('CaseInsensitive');
  const read = (text: string): string => (isCaseless ? text.toLowerCase() : text);
  return NEEDLES.map((needle): Row => {
    const [a, b] = [parts(read(HAY), size), parts(read(needle), size)];
    const shared = common(a, b);
    return [
      `${name}('${HAY}', '${needle}')`,
      isSearch ? shared / total(b) : 1 - (2 * shared) / (total(a) + total(b)),
    ];
  });
}

const resemblance: GoldenTable = {
  title: 'how much texts resemble each other',
  rows: [
    ...[false, true].flatMap((isSearch) => {
      const name = isSearch ? 'ngramSearch' : 'ngramDistance';
      return [
        ...resembling(name, 4, isSearch),
        ...resembling(`${name}CaseInsensitive`, 4, isSearch),
        ...resembling(`${name}UTF8`, 3, isSearch),
        ...resembling(`${name}CaseInsensitiveUTF8`, 3, isSearch),
      ];
    }),
    [`ngramDistance('same text', 'same text')`, 0],
    [`ngramDistance(NULL, 'same text')`, null],
    [`ngramSearch('a', 'b')`, 0],
  ],
};

export const placeTables: readonly GoldenTable[] = [places, resemblance];
