/**
 * Characters of JSON text that the properties of one person or group may take, about. All of them are read and written
 * with each change, so that without a bound a few requests could fill the memory. PostHog's bound is 640 KB.
 */
export const MAX_PROPERTIES_SIZE = 1_048_576;

/** What a name, a number or a word takes, roughly. */
const BASE = 8;

/** About how many characters a property takes as JSON text. */
function sizeOfProperty(name: string, value: unknown): number {
  if (typeof value === 'string') return BASE + name.length + value.length;
  if (typeof value !== 'object' || value === null) return BASE + name.length;
  return BASE + name.length + JSON.stringify(value).length;
}

/** By how much properties grow when `put` and `removed` change them; negative when they shrink. */
export function growthOf(
  properties: Readonly<Record<string, unknown>>,
  put: readonly (readonly [name: string, value: unknown])[],
  removed: readonly string[],
): number {
  let growth = 0;
  for (const [name, value] of put) growth += sizeOfProperty(name, value);
  for (const name of new Set([...put.map(([name]) => name), ...removed])) {
    if (Object.hasOwn(properties, name)) growth -= sizeOfProperty(name, properties[name]);
  }
  return growth;
}
