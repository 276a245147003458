/** Old filters of an insight, or a part of them. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Old clients send null and the empty text for what they leave out. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The fields that are set, under their new names; `names`: old name -> new name. */
export function renamed(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(names).flatMap(([old, name]) => (isSet(fields[old]) ? [[name, fields[old]]] : [])),
  );
}

/** An object under a name when it holds anything. */
export function within(name: string, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

/** Numbers and booleans that came out of an address are texts. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  const word = value.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : value;
}

/** `renamed`, for fields that hold numbers, booleans or words. */
export function renamedPlain(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(renamed(fields, names)).map(([name, value]) => [name, plain(value)]),
  );
}

/** A list, also as the JSON text of one; anything else is no list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
