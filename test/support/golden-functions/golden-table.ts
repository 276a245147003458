/** What one expression of HogQL must give: null, a value, a list or a map; moments as `2026-03-29T12:00:00Z`. */
export type Expected =
  null | boolean | number | string | readonly Expected[] | { readonly [key: string]: Expected };

/** Expressions and what they must give, derived by hand from what ClickHouse documents. */
export interface GoldenTable {
  readonly title: string;
  /** Where the names in the expressions come from, as after FROM; nothing where they name none. */
  readonly from?: string;
  /** UTC unless another is named. */
  readonly timezone?: string;
  readonly rows: readonly (readonly [expression: string, expected: Expected])[];
}
