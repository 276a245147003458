/** Names of time zones by region, as supported by this browser; the chosen zone stays in the list when it is not. */
export function timeZoneGroups(chosen: string): { region: string; zones: string[] }[] {
  const known = new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')]);
  const groups = new Map<string, string[]>();
  for (const zone of [...known].toSorted()) {
    const region = zone.includes('/') ? zone.split('/')[0]! : 'Other';
    groups.set(region, [...(groups.get(region) ?? []), zone]);
  }
  return [...groups].map(([region, zones]) => ({ region, zones }));
}
