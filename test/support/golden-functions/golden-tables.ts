import { conversionsJudged } from './judged/conversions.ts';
import { datesJudged } from './judged/dates.ts';
import { elementsJudged } from './judged/elements.ts';
import { jsonJudged } from './judged/json.ts';
import { lettersJudged } from './judged/letters.ts';
import { listsJudged } from './judged/lists.ts';
import { numbersJudged } from './judged/numbers.ts';
import { truthsJudged } from './judged/truths.ts';
import { chainsJudged } from './judged/chains.ts';
import { addressTables } from './addresses.ts';
import { moreTables } from './again/more-tables.ts';
import { aggregateTables } from './aggregates.ts';
import { collectionTables } from './collections.ts';
import { collectedTables } from './collected.ts';
import { dateTables } from './dates.ts';
import { funnelTables } from './funnels.ts';
import { furtherTables } from './further.ts';
import { associatedTables } from './associated.ts';
import type { GoldenTable } from './golden-table.ts';
import { listTables } from './list-functions.ts';
import { numberTables } from './numbers.ts';
import { placeTables } from './places.ts';
import { seldomAskedTables } from './seldom-asked.ts';
import { textTables } from './texts.ts';
import { timeWindowTables } from './windows-of-time.ts';
import { valueTables } from './values.ts';
import { vectorTables } from './vectors.ts';
import { weekTables } from './weeks.ts';
import { wordTables } from './words.ts';

export const goldenTables: readonly GoldenTable[] = [
  ...addressTables,
  ...aggregateTables,
  ...collectionTables,
  ...dateTables,
  ...textTables,
  ...valueTables,
  ...moreTables,
  ...furtherTables,
  ...collectedTables,
  ...funnelTables,
  ...listTables,
  ...weekTables,
  ...numberTables,
  ...vectorTables,
  ...wordTables,
  ...placeTables,
  ...associatedTables,
  ...timeWindowTables,
  ...seldomAskedTables,
  ...conversionsJudged,
  ...datesJudged,
  ...elementsJudged,
  ...jsonJudged,
  ...lettersJudged,
  ...listsJudged,
  ...numbersJudged,
  ...truthsJudged,
  ...chainsJudged,
];
