/** Words that are always values or statements of the grammar, and names only in backticks. */
export const NEVER_NAMES: ReadonlySet<string> = new Set(
  `catch except false fn fun inf infinity intersect let materialized nan null throw true try while`.split(
    ' ',
  ),
);

/** Words that the grammar takes as names in some places only, or that a reader would take for a part of the query. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...NEVER_NAMES,
  ...`all and array as asc between by case cast cohort columns cube desc distinct else end exclude filter final from group
      having ilike in interval is join like limit not offset on or order over prewhere qualify recursive rollup sample
      select sets then union using values when where window with`.split(/\s+/),
]);
