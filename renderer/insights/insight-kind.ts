import type { Component } from 'vue';
import type { Question, SeriesNode } from './question.ts';

/** An answer as a table: names of columns, and rows of texts and numbers. */
export interface AnswerTable {
  columns: string[];
  rows: (string | number)[][];
}

/** What the question of another kind leaves to a new one. */
export interface FormerQuestion {
  /** Dates, filters and sampling. */
  readonly shared: Partial<Question>;
  /** The type of the groups that are counted. */
  readonly group: Partial<Question>;
  readonly breakdown: Pick<Question, 'breakdownFilter'>;
  readonly interval: string;
  readonly series: SeriesNode[];
  /** The same series without a way of counting. */
  readonly bare: SeriesNode[];
}

/** The chart types of a kind, as a choice. */
export interface ChartTypes {
  readonly choices: readonly { id: string; label: string; icon: Component }[];
  of(question: Question): string;
  with(question: Question, id: string): Question;
}

/** A kind of insight: one folder, and one line in `kinds.ts`. `KindSettings.vue` in its folder edits what it alone has. */
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
  /** The question of this kind that keeps what it shares with another. */
  turn(before: FormerQuestion): Question;
  nameOf(question: Question): string;
  /** What keeps a question from being asked; empty for nothing. */
  problemOf?(question: Question): string;
  /** Draws an answer, with `props` beside those of all views. */
  readonly view: Component;
  props?(question: Question, drawn: { course: unknown; notes: readonly unknown[] }): object;
  /** Every number of an answer. */
  table(question: Question, results: unknown): AnswerTable;
}
