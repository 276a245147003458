import type { Component } from 'vue';
import type { Question, SeriesNode } from './question.ts';

/** A result as a table: names of columns, and rows of texts and numbers. */
export interface AnswerTable {
  columns: string[];
  rows: (string | number)[][];
}

/** The parts of a question that another kind can keep. */
export interface FormerQuestion {
  /** Dates, filters and sampling. */
  readonly shared: Partial<Question>;
  /** The type of the groups that are counted. */
  readonly group: Partial<Question>;
  readonly breakdown: Pick<Question, 'breakdownFilter'>;
  readonly interval: string;
  readonly series: SeriesNode[];
  /** The same series without math. */
  readonly bare: SeriesNode[];
}

/** The chart types of a kind, as a choice. */
export interface ChartTypes {
  readonly choices: readonly { id: string; label: string; icon: Component }[];
  of(question: Question): string;
  with(question: Question, id: string): Question;
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
  hasSmoothing?(question: Question): boolean;
  readonly canCompare?: boolean;
  hasInterval?(question: Question): boolean;
  readonly chartTypes?: ChartTypes;
  /** The chart type can be changed on a tile. */
  readonly hasTileSettings?: boolean;
  /** The question of this kind that keeps what it shares with a question of another. */
  turn(before: FormerQuestion): Question;
  nameOf(question: Question): string;
  /** Why a question cannot be run yet; empty if it can. */
  problemOf?(question: Question): string;
  /** The numbers of a result have lists of actors; absent: always. */
  hasActors?(question: Question): boolean;
  /** Draws a result, with `props` in addition to those of all views. */
  readonly view: Component;
  props?(question: Question, drawn: { course: unknown; notes: readonly unknown[] }): object;
  /** All numbers of a result. */
  table(question: Question, results: unknown): AnswerTable;
}
