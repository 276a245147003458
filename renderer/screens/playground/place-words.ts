/** Where an address is, of the properties that flags read about it: `Valencia, Spain`; `null` when that is not known. */
export function placeWords(geoip: Readonly<Record<string, unknown>> | null): string | null {
  const parts = ['$geoip_city_name', '$geoip_country_name'].map((name) => geoip?.[name]);
  const known = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return known.length > 0 ? known.join(', ') : null;
}
