/**
 * A JSON object inside the bytes of a request: `bytes` from `start` up to `end`, UTF-8. `ending`, if present,
 * replaces its closing brace.
 */
export interface JsonSlice {
  bytes: Buffer;
  start: number;
  end: number;
  ending: Buffer | null;
}

export function textOfJson(json: string | JsonSlice): string {
  if (typeof json === 'string') return json;
  const { bytes, start, end, ending } = json;
  return ending === null
    ? bytes.toString('utf8', start, end)
    : bytes.toString('utf8', start, end - 1) + ending.toString();
}

/** The object with more members (`"a":1,"b":2`) appended. */
export function withMembers(json: string | JsonSlice, members: string): string | JsonSlice {
  if (typeof json === 'string') return json === '{}' ? `{${members}}` : `${json.slice(0, -1)},${members}}`;
  // A slice has at least one member (usual-json.ts), so a comma is always valid.
  const before = json.ending === null ? '' : json.ending.toString('utf8', 0, json.ending.length - 1);
  return { ...json, ending: Buffer.from(`${before},${members}}`) };
}

/** Copies slices as complete texts into a reused buffer. */
export function createSliceWriter(): (slice: JsonSlice) => Uint8Array {
  let memory = Buffer.allocUnsafe(65_536);
  return ({ bytes, start, end, ending }) => {
    if (ending === null) return bytes.subarray(start, end);
    const length = end - start - 1 + ending.length;
    if (length > memory.length) memory = Buffer.allocUnsafe(length * 2);
    bytes.copy(memory, 0, start, end - 1);
    memory.set(ending, end - start - 1);
    return memory.subarray(0, length);
  };
}
