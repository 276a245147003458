const SERIES = 8;

/** The colour of a variant by its place, as a custom property; after eight they begin anew. */
export function variantColor(index: number): string {
  return `--c-${(index % SERIES) + 1}`;
}
