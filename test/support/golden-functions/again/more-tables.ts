import type { GoldenTable } from '../golden-table.ts';
import { aggregateTables } from './aggregates.ts';
import { collectionTables } from './collections.ts';
import { dateTables } from './dates.ts';
import { numberTables } from './numbers.ts';
import { textTables } from './texts.ts';

/** What the first tables ask once, with other arguments; expected is what plain TypeScript computes. */
export const moreTables: readonly GoldenTable[] = [
  ...aggregateTables,
  ...collectionTables,
  ...dateTables,
  ...numberTables,
  ...textTables,
];
