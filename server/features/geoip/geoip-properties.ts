import { continentName, continentOf } from './continents.ts';

/** The `$geoip_…` properties of an address, only those that are known. */
export type GeoipProperties = Readonly<Record<string, string | number>>;

type JsonObject = Readonly<Record<string, unknown>>;

const REGION_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** No file has a place more exactly; ten metres. Its numbers may have been rounded to 32 bits. */
const DEGREE_DECIMALS = 4;

/**
 * What PostHog calls the fields of a record of an .mmdb file, in either shape: MaxMind's nested one, or the flat one of
 * ip-location-db (`country_code, city, state1, state2, postcode, latitude, longitude, timezone`).
 */
export function geoipProperties(record: unknown): GeoipProperties {
  if (!isObject(record)) return {};
  return isObject(record['country']) || isObject(record['continent']) || isObject(record['city'])
    ? propertiesOfNested(record)
    : propertiesOfFlat(record);
}

function propertiesOfNested(record: JsonObject): GeoipProperties {
  const country = objectOf(record['country']);
  const continent = objectOf(record['continent']);
  const location = objectOf(record['location']);
  const subdivisions = Array.isArray(record['subdivisions']) ? record['subdivisions'].map(objectOf) : [];
  return known({
    ...countryProperties(text(country['iso_code']), englishName(country)),
    ...continentProperties(text(continent['code']), englishName(continent)),
    $geoip_city_name: englishName(objectOf(record['city'])),
    $geoip_postal_code: text(objectOf(record['postal'])['code']),
    ...coordinates(location),
    $geoip_accuracy_radius: number(location['accuracy_radius']),
    $geoip_time_zone: text(location['time_zone']),
    ...Object.fromEntries(
      subdivisions.slice(0, 3).flatMap((subdivision, index) => [
        [`$geoip_subdivision_${index + 1}_code`, text(subdivision['iso_code'])],
        [`$geoip_subdivision_${index + 1}_name`, englishName(subdivision)],
      ]),
    ),
  });
}

function propertiesOfFlat(record: JsonObject): GeoipProperties {
  return known({
    ...countryProperties(text(record['country_code']), null),
    $geoip_city_name: text(record['city']),
    $geoip_postal_code: text(record['postcode']),
    ...coordinates(record),
    $geoip_time_zone: text(record['timezone']),
    $geoip_subdivision_1_name: text(record['state1']),
    $geoip_subdivision_2_name: text(record['state2']),
  });
}

function countryProperties(code: string | null, name: string | null) {
  const continent = code === null ? null : continentOf(code);
  return {
    $geoip_country_code: code,
    $geoip_country_name: name ?? (code === null ? null : regionName(code)),
    ...continentProperties(continent?.code ?? null, continent?.name ?? null),
  };
}

/** Nothing at all where nothing is known, so that it hides nothing known before. */
function continentProperties(code: string | null, name: string | null) {
  if (code === null) return {};
  return { $geoip_continent_code: code, $geoip_continent_name: name ?? continentName(code) };
}

/** Without a pair of coordinates there is no place; a latitude alone is none. */
function coordinates(record: JsonObject) {
  const [latitude, longitude] = [number(record['latitude']), number(record['longitude'])];
  if (latitude === null || longitude === null) return {};
  return { $geoip_latitude: rounded(latitude), $geoip_longitude: rounded(longitude) };
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DEGREE_DECIMALS));
}

/** Intl throws for what is not even shaped like a code. */
function regionName(code: string): string | null {
  return /^[A-Z]{2}$/.test(code) ? (REGION_NAMES.of(code) ?? null) : null;
}

function englishName(place: JsonObject): string | null {
  return text(objectOf(place['names'])['en']);
}

function known(properties: Readonly<Record<string, string | number | null>>): GeoipProperties {
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, string | number] => entry[1] !== null),
  );
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
