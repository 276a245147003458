import { geoEqualEarth, geoEqualEarthRaw, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The countries of the world in TopoJSON. */
export type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** A country, drawn. */
export interface CountryShape {
  /** ISO 3166, two letters; empty where it has none. */
  code: string;
  name: string;
  /** Its outline in a box of `WORLD`. */
  path: string;
}

export const WORLD = { width: 1000, height: 470 };

/** South of it are no inhabited countries. */
const ANTARCTICA = 'AQ';
/** Latitude at the upper edge, in radians: 83.7 degrees. */
const NORTH = (83.7 / 180) * Math.PI;

/** Every country as a path, projected so that equal areas of the world have equal areas of the map. */
export function countryShapes(world: World): CountryShape[] {
  const scale = WORLD.width / 2 / geoEqualEarthRaw(Math.PI, 0)[0];
  const top = geoEqualEarthRaw(0, NORTH)[1] * scale;
  const draw = geoPath(
    geoEqualEarth()
      .scale(scale)
      .translate([WORLD.width / 2, top]),
  ).digits(1);
  return feature(world, world.objects.countries)
    .features.map((country) => ({
      code: codeOf(country.id),
      name: country.properties.name,
      path: draw(country) ?? '',
    }))
    .filter(({ code }) => code !== ANTARCTICA);
}

/** The two letters of a country's three digits, which browsers know; some contested places have none. */
function codeOf(id: string | number | undefined): string {
  return id === undefined ? '' : (new Intl.Locale('und', { region: String(id) }).region ?? '');
}
