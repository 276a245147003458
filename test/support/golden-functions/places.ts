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

const SQUARE = '[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]';
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
    [`pointInEllipses(10., 10., 10., 9.1, 1., 0.9999)`, true],
    [`pointInEllipses(3, 0, 0, 0, 2, 1)`, false],
    [`pointInEllipses(3, 0, 0, 0, 2, 1, 3.5, 0, 1, 1)`, true],
    [`pointInPolygon((2.0, 2.0), ${SQUARE})`, true],
    [`pointInPolygon((5.0, 2.0), ${SQUARE})`, false],
    [`pointInPolygon((3.0, 2.0), ${BAY})`, false],
    [`pointInPolygon((3.0, 3.5), ${BAY})`, true],
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
