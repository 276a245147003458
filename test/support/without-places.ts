/** A tree of HogQL without the offsets of its nodes. */
export function withoutPlaces<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutPlaces) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const isNode = 'node' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isNode || (key !== 'start' && key !== 'end'))
      .map(([key, part]) => [key, withoutPlaces(part)]),
  ) as Value;
}
