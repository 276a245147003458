import { moreTables } from './again/more-tables.ts';
import { aggregateTables } from './aggregates.ts';
import { collectionTables } from './collections.ts';
import { dateTables } from './dates.ts';
import { furtherTables } from './further.ts';
import type { GoldenTable } from './golden-table.ts';
import { textTables } from './texts.ts';
import { valueTables } from './values.ts';

export const goldenTables: readonly GoldenTable[] = [
  ...aggregateTables,
  ...collectionTables,
  ...dateTables,
  ...textTables,
  ...valueTables,
  ...moreTables,
  ...furtherTables,
];
