/** Displays that show one number instead of one for each interval. */
const TOTAL_DISPLAYS: ReadonlySet<unknown> = new Set([
  'BoldNumber',
  'ActionsPie',
  'ActionsBarValue',
  'ActionsTable',
  'WorldMap',
  'CalendarHeatmap',
]);

/** Whether a display has one number for the whole span. */
export function isTotalDisplay(display: unknown): boolean {
  return TOTAL_DISPLAYS.has(display);
}

/** Whether a display shows how the events of a series are distributed, without breakdown, comparison and formula. */
export function isDistribution(display: unknown): boolean {
  return display === 'CalendarHeatmap' || display === 'BoxPlot';
}

/** Whether an alert can look at what a display shows: a number of each interval, or one of the whole span. */
export function canHaveAlerts(display: unknown): boolean {
  return !isDistribution(display) && display !== 'TwoDimensionalHeatmap';
}

interface WithFormulas {
  readonly formula?: string | null | undefined;
  readonly formulas?: readonly string[] | null | undefined;
  readonly formulaNodes?:
    | readonly { readonly formula: string; readonly custom_name?: string | null | undefined }[]
    | null
    | undefined;
}

/** The formulas that a trend shows in place of its series, in their order. */
export function formulasOf(
  trendsFilter: WithFormulas | null | undefined,
): { text: string; name: string | null }[] {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {};
  // Of a stored query nothing is certain.
  if (Array.isArray(formulaNodes) && formulaNodes.length > 0)
    return formulaNodes.map((node) => ({ text: node.formula, name: node.custom_name || null }));
  if (Array.isArray(formulas) && formulas.length > 0) return formulas.map((text) => ({ text, name: null }));
  return formula ? [{ text: formula, name: null }] : [];
}
