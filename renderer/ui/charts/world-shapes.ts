/** The world in TopoJSON (its format: lines that countries share, as steps between whole numbers). */
export interface Topology {
  transform: { scale: readonly number[]; translate: readonly number[] };
  arcs: readonly (readonly (readonly number[])[])[];
  objects: { countries: { geometries: readonly Geometry[] } };
}

interface Geometry {
  type: string;
  /** ISO 3166, three digits; some places that are contested have none. */
  id?: string;
  properties: { name: string };
  arcs?: readonly unknown[];
}

/** A country, drawn. */
export interface CountryShape {
  /** ISO 3166, two letters; empty where it has none. */
  code: string;
  name: string;
  /** Its outline in a box of `WORLD`. */
  path: string;
}

export const WORLD = { width: 1000, height: 470 };

/** Below it lies nothing that anybody visits from. */
const ANTARCTICA = 'AQ';
const DEGREE = Math.PI / 180;
/** Degrees of latitude at the upper edge. */
const NORTH = 83.7;

type Point = readonly [number, number];

/** Every country as a path, projected so that equal areas of the world have equal areas of the map. */
export function countryShapes(world: Topology): CountryShape[] {
  const lines = world.arcs.map((arc) => decode(arc, world.transform));
  return world.objects.countries.geometries
    .map((geometry) => ({
      code: codeOf(geometry.id),
      name: geometry.properties.name,
      path: ringsOf(geometry)
        .map((ring) => pathOf(ring, lines))
        .join(''),
    }))
    .filter(({ code }) => code !== ANTARCTICA);
}

/** The two letters of a country's three digits, which browsers know. */
function codeOf(id: string | undefined): string {
  return id === undefined ? '' : (new Intl.Locale('und', { region: id }).region ?? '');
}

function ringsOf({ type, arcs = [] }: Geometry): number[][] {
  return type === 'Polygon' ? (arcs as number[][]) : (arcs as number[][][]).flat();
}

/** Longitudes and latitudes in degrees. */
function decode(arc: readonly (readonly number[])[], { scale, translate }: Topology['transform']): Point[] {
  let [x, y] = [0, 0];
  return arc.map(([right = 0, up = 0]) => {
    x += right;
    y += up;
    return [x * scale[0]! + translate[0]!, y * scale[1]! + translate[1]!];
  });
}

/** Lines one after another; one of a negative number is gone backwards. */
function pathOf(ring: readonly number[], lines: readonly Point[][]): string {
  const points = ring.flatMap((index, at) => {
    const line = index < 0 ? lines[~index]!.toReversed() : lines[index]!;
    return at === 0 ? line : line.slice(1);
  });
  // What goes over the 180th meridian goes on, instead of once around the world.
  let turn = 0;
  const places = points.map(([longitude, latitude], at) => {
    const step = longitude - (points[at - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turn -= Math.sign(step) * 360;
    return project(longitude + turn, latitude);
  });
  return `M${places.map(([x, y]) => `${x} ${y}`).join('L')}Z`;
}

/** Equal Earth (Šavrič, Patterson, Jenny 2018): longitude and latitude in degrees to a place in the box. */
function project(longitude: number, latitude: number): Point {
  const [x, y] = equalEarth(longitude * DEGREE, latitude * DEGREE);
  const scale = WORLD.width / 2 / equalEarth(Math.PI, 0)[0];
  const top = equalEarth(0, NORTH * DEGREE)[1];
  return [round(WORLD.width / 2 + x * scale), round((top - y) * scale)];
}

function equalEarth(lambda: number, phi: number): Point {
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796];
  const half = Math.sqrt(3) / 2;
  const theta = Math.asin(half * Math.sin(phi));
  const [square, sixth] = [theta ** 2, theta ** 6];
  const slope = a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square);
  return [
    (lambda * Math.cos(theta)) / (half * slope),
    theta * (a1 + a2 * square + sixth * (a3 + a4 * square)),
  ];
}

const round = (value: number): number => Math.round(value * 10) / 10;
