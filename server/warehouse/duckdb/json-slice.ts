/**
 * UTF-8 text of a JSON object that lies within the bytes of a request: `bytes` from `start` to before `end`. With an
 * `ending` its closing brace gives way to that.
 */
export interface JsonSlice {
  bytes: Buffer;
  start: number;
  end: number;
  ending: Buffer | null;
}

/** The text of properties, however they are kept. */
export function textOfJson(json: string | JsonSlice): string {
  if (typeof json === 'string') return json;
  const { bytes, start, end, ending } = json;
  return ending === null
    ? bytes.toString('utf8', start, end)
    : bytes.toString('utf8', start, end - 1) + ending.toString();
}

/** The text of an object with further members (`"a":1,"b":2`) at its end. */
export function withMembers(json: string | JsonSlice, members: string): string | JsonSlice {
  if (typeof json === 'string') return json === '{}' ? `{${members}}` : `${json.slice(0, -1)},${members}}`;
  // A slice holds a member (usual-json.ts), so that a comma always fits.
  return {
    ...json,
    ending: Buffer.from(`,${members}${json.ending === null ? '}' : json.ending.toString()}`),
  };
}

/** Writes slices as whole texts, one after another, into memory that is used again and again. */
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
