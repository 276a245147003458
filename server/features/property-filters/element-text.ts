/** Keys of a filter on the clicked element and its parents. */
export const ELEMENT_KEYS = ['tag_name', 'text', 'href', 'selector'] as const;
export type ElementKey = (typeof ELEMENT_KEYS)[number];

/** A value in quotes, as `elements-chain.ts` writes it. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** The parts of a chain, for `regexp_extract_all` and its first group. */
export const ELEMENT_TEXTS = {
  tag_name: `(?:^|;)([^.:;"]*)(?:[^;"]|${QUOTED})*`,
  text: String.raw`[:"]text="((?:[^"\\]|\\.)*)"`,
  href: String.raw`[:"]href="((?:[^"\\]|\\.)*)"`,
} as const;

/** SQL for the list of what the elements of a chain have under `key`, such as every tag name. */
export function elementTexts(chain: string, key: Exclude<ElementKey, 'selector'>): string {
  const found = `regexp_extract_all(coalesce(${chain}, ''), '${ELEMENT_TEXTS[key]}', 1)`;
  return `list_filter(list_transform(${found}, lambda v: replace(v, '\\"', '"')), lambda v: v <> '')`;
}
