/** Texts that differ in each run, written as numbered placeholders: `{{uuid 1}}`, `{{secret 2}}`. */
export interface Placeholders {
  /** Texts of a request that are the same in each run, and stay as they are. */
  fix(text: string): void;
  /** The text with a placeholder for each id, secret and address; a new one gets the next number. */
  hide(text: string): string;
  /** The text with the values of this run for its placeholders. */
  fill(text: string): string;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const SECRET = 'ph[a-z]_[0-9A-Za-z]{30,}';
/** By kind: the form of such a text. A UUID may stand within a longer word. */
const FORMS = { uuid: new RegExp(UUID, 'g'), secret: new RegExp(SECRET, 'g') };
const WORD = /[0-9A-Za-z_-]{8,}/g;
/** Fields that hold random text without a form of its own. */
const RANDOM_FIELD = /"(\w*short_id|\w*access_token|public_token)":"([0-9A-Za-z_-]{8,})"/g;
/**
 * Fields that are not compared: statement texts, cache keys, ends of secrets, the progress of retention in the
 * background, and durations.
 */
const UNCOMPARED: readonly (readonly [RegExp, string])[] = [
  [/"(clickhouse|cache_key|duckdb)":"(?:[^"\\]|\\.)*"/g, '"$1":"*"'],
  [/"mask_value":"[^"]*"/g, '"mask_value":"*"'],
  [/#token=[\w-]+/g, '#token=*'],
  [/"last_applied_at":(?:null|"[^"]*")/g, '"last_applied_at":"*"'],
  [/"is_applying":(?:true|false)/g, '"is_applying":"*"'],
  // Whether a query finds the result of an equal one or joins its run depends on how fast the machine is.
  [/"is_cached":(?:true|false)/g, '"is_cached":"*"'],
  [/"timings":\[[^\]]*\]/g, '"timings":"*"'],
  [/"(\w*(?:_ms|milliseconds|duration|_seconds_taken))":[\d.]+(?:e[+-]?\d+)?/g, '"$1":"*"'],
];

/** Concurrent statements are in no fixed order in the `hogql` of a result. */
function sortStatements(text: string): string {
  return text.replaceAll(/"hogql":"((?:[^"\\]|\\.)*)"/g, (_, statements: string) => {
    const separator = String.raw`;\n\n`;
    return `"hogql":"${statements.split(separator).toSorted().join(separator)}"`;
  });
}

export function createPlaceholders(hosts: readonly string[]): Placeholders {
  const names = new Map<string, string>();
  const values = new Map<string, string>();
  const fixed = new Set<string>();
  const counts = new Map<string, number>();

  function nameOf(value: string, kind: string): string {
    const known = names.get(value);
    if (known !== undefined) return known;
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    const name = `{{${kind} ${number}}}`;
    names.set(value, name);
    values.set(name, value);
    return name;
  }

  return {
    fix(text) {
      for (const form of [...Object.values(FORMS), WORD]) {
        for (const [value] of text.matchAll(form)) if (!names.has(value)) fixed.add(value);
      }
    },
    hide(text) {
      let compared = sortStatements(text);
      for (const host of hosts) compared = compared.replaceAll(host, '{{host}}');
      for (const [field, instead] of UNCOMPARED) compared = compared.replaceAll(field, instead);
      for (const [kind, form] of Object.entries(FORMS)) {
        compared = compared.replaceAll(form, (value) => (fixed.has(value) ? value : nameOf(value, kind)));
      }
      for (const [, kind, value] of compared.matchAll(RANDOM_FIELD)) {
        if (!fixed.has(value!) && !value!.includes('{{')) nameOf(value!, kind!);
      }
      return compared.replaceAll(WORD, (value) => names.get(value) ?? value);
    },
    fill: (text) => text.replaceAll(/\{\{\w+ \d+\}\}/g, (name) => values.get(name) ?? name),
  };
}
