import type { Component } from 'vue';
import type { InsightQuery, SeriesNode } from './insight-query.ts';

/** A result as a table: names of columns, and rows of texts and numbers. */
export interface AnswerTable {
  columns: string[];
  rows: (string | number)[][];
}

/** A result in small, for lists: at most its main numbers, without axes and names. */
export interface Preview {
  /** `shares`: squares, darker for larger shares of one. `number`: the fact alone. */
  readonly shape: 'line' | 'bars' | 'shares' | 'number';
  readonly values: readonly number[];
  /** The number that sums it up, with its unit; empty where there is none. */
  readonly fact: string;
}

/** The parts of a query that another kind can keep. */
export interface FormerQuery {
  /** Dates, filters and sampling. */
  readonly shared: Partial<InsightQuery>;
  /** The type of the groups that are counted. */
  readonly group: Partial<InsightQuery>;
  readonly breakdown: Pick<InsightQuery, 'breakdownFilter'>;
  readonly interval: string;
  readonly series: SeriesNode[];
  /** The same series without math. */
  readonly bare: SeriesNode[];
}

/** The chart types of a kind, as a choice. */
export interface ChartTypes {
  readonly choices: readonly { id: string; label: string; icon: Component }[];
  of(insightQuery: InsightQuery): string;
  with(insightQuery: InsightQuery, id: string): InsightQuery;
}

/** A kind of insight: one folder, and one line in `kinds.ts`. `KindSettings.vue` in its folder edits the fields that it alone has. */
export interface InsightKind {
  /** The kind of its query. */
  readonly id: string;
  /** Its folder; in upper case its name in the list of insights of the API. */
  readonly name: string;
  readonly label: string;
  /** One insight of the kind. */
  readonly noun: string;
  readonly icon: Component;
  /** How its series are edited; absent: it has none. `steps` follow one another, `counted` have a math and formulas. */
  readonly series?: 'steps' | 'counted' | 'several' | 'one';
  /** What its breakdown can do; absent: it has none. `full`: bins, and values without “Other”. */
  readonly breakdown?: 'full' | 'plain';
  /** Its math says whether persons or groups are counted; otherwise an option does. */
  readonly countsByMath?: boolean;
  hasSmoothing?(insightQuery: InsightQuery): boolean;
  canCompare?(insightQuery: InsightQuery): boolean;
  hasInterval?(insightQuery: InsightQuery): boolean;
  readonly chartTypes?: ChartTypes;
  /** The chart type can be changed on a tile. */
  readonly hasTileSettings?: boolean;
  /** The query of this kind that keeps what it shares with a query of another. */
  turn(before: FormerQuery): InsightQuery;
  nameOf(insightQuery: InsightQuery): string;
  /** Why a query cannot be run yet; empty if it can. */
  problemOf?(insightQuery: InsightQuery): string;
  /** The numbers of a result have lists of actors; absent: always. */
  hasActors?(insightQuery: InsightQuery): boolean;
  /** Draws a result, with `props` in addition to those of all views. */
  readonly view: Component;
  props?(insightQuery: InsightQuery, drawn: { course: unknown; notes: readonly unknown[] }): object;
  /** A result in small; `null` where it cannot be drawn so. */
  preview(insightQuery: InsightQuery, results: unknown): Preview | null;
  /** All numbers of a result. */
  table(insightQuery: InsightQuery, results: unknown): AnswerTable;
}
