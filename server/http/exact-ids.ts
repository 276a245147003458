/** A number so long that doubles may round it. */
const LONG = /\d{16}/;
const IDS = /("(?:\$?distinct_id|\$anon_distinct_id|alias|\$group_key)"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g;
const GROUPS = /"\$groups"\s*:\s*\{[^{}]*\}/g;
/** Texts, so that they are passed over, and long numbers. */
const VALUES = /"(?:[^"\\]|\\.)*"|(?<=[:\s])-?\d{16,}(?=\s*[,}])/g;

/**
 * JSON text in which whole numbers that a double cannot hold are texts where they are ids: the JSON text of a number is
 * the id (ingestion contract 3.3), and JSON.parse would give neighbours one and the same. A brace in a text of `$groups`
 * may make valid JSON invalid.
 */
export function withExactIds(json: string): string {
  if (!LONG.test(json)) return json;
  return json
    .replace(IDS, (_, name: string, digits: string) => name + textOf(digits))
    .replace(GROUPS, (groups) => groups.replace(VALUES, textOf));
}

/** Texts stay as they are, and so do numbers that are exact. */
function textOf(value: string): string {
  return value.startsWith('"') || Number.isSafeInteger(Number(value)) ? value : `"${value}"`;
}
