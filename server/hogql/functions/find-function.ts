import { aggregateFunnels } from './rows/aggregate-funnels.ts';
import { MACROS } from '../macros.ts';
import { nearest } from '../nearest.ts';
import { combined, COMBINATOR_ENDINGS, refusedCombinator } from './combinators.ts';
import type { CallContext, FunctionRow, Printed } from './function-row.ts';
import { aggregates } from './rows/aggregates.ts';
import { arrays } from './rows/arrays.ts';
import { collections } from './rows/collections.ts';
import { comparisons } from './rows/comparisons.ts';
import { conditionals } from './rows/conditionals.ts';
import { conversions } from './rows/conversions.ts';
import { dateConversions } from './rows/date-conversions.ts';
import { dateFormats } from './rows/date-formats.ts';
import { dateIntervals } from './rows/date-intervals.ts';
import { dateParts } from './rows/date-parts.ts';
import { dateStarts } from './rows/date-starts.ts';
import { filterRows } from './rows/filters.ts';
import { hashes } from './rows/hashes.ts';
import { json } from './rows/json.ts';
import { lambdas } from './rows/lambdas.ts';
import { listParts } from './rows/list-parts.ts';
import { mapAggregates } from './rows/map-aggregates.ts';
import { maths } from './rows/maths.ts';
import { moments } from './rows/moments.ts';
import { parts } from './rows/parts.ts';
import { quantiles } from './rows/quantiles.ts';
import { searches } from './rows/searches.ts';
import { strings } from './rows/strings.ts';
import { tuples } from './rows/tuples.ts';
import { urlFunctions } from './rows/urls.ts';
import { bitmaps } from './rows/bitmaps.ts';
import { maps } from './rows/maps.ts';
import { furtherNumbers } from './rows/numbers.ts';
import { readable } from './rows/readable.ts';
import { tokens } from './rows/tokens.ts';
import { vectors } from './rows/vectors.ts';
import { bytes } from './rows/bytes.ts';
import { fuzzyMatches } from './rows/fuzzy-matches.ts';
import { channels } from './rows/channels.ts';
import { traffic } from './rows/traffic.ts';
import { associations } from './rows/associations.ts';
import { geo } from './rows/geo.ts';
import { intersections } from './rows/intersections.ts';
import { ngramDistances } from './rows/ngram-distance.ts';
import { timeWindows } from './rows/time-windows.ts';
import { eventChains } from './rows/event-chains.ts';
import { ipAddresses } from './rows/ip-addresses.ts';
import { reinterpretations } from './rows/reinterpreted.ts';
import { windowFunnels } from './rows/window-funnel.ts';
import { windows } from './rows/windows.ts';
import { withNull } from '../value-type.ts';

/** All functions of the language, without the combinators of aggregates. */
export const FUNCTIONS: readonly FunctionRow[] = [
  ...aggregates,
  ...arrays,
  ...collections,
  ...comparisons,
  ...conditionals,
  ...conversions,
  ...dateConversions,
  ...dateFormats,
  ...dateIntervals,
  ...dateParts,
  ...dateStarts,
  ...filterRows,
  ...hashes,
  ...json,
  ...lambdas,
  ...listParts,
  ...mapAggregates,
  ...maths,
  ...moments,
  ...parts,
  ...quantiles,
  ...searches,
  ...strings,
  ...tuples,
  ...urlFunctions,
  ...bitmaps,
  ...maps,
  ...furtherNumbers,
  ...readable,
  ...tokens,
  ...vectors,
  ...associations,
  ...geo,
  ...intersections,
  ...ngramDistances,
  ...timeWindows,
  ...bytes,
  ...fuzzyMatches,
  ...channels,
  ...traffic,
  ...windowFunnels,
  ...aggregateFunnels,
  ...eventChains,
  ...ipAddresses,
  ...reinterpretations,
  ...windows,
];

/** A call whose text is longer is refused: functions that name an argument twice double it at each level. */
const LONGEST_CALL = 100_000;

const BY_NAME: ReadonlyMap<string, FunctionRow> = new Map(
  FUNCTIONS.flatMap((row) => [
    [row.name.toLowerCase(), row],
    [row.name, row],
  ]),
);

/** The function of that name, whatever its case, also with combinators of aggregates (`countIf`); or null. */
export function findFunction(name: string): FunctionRow | null {
  const row = simple(name) ?? combined(name, simple);
  return row === null ? null : bounded(row);
}

function simple(name: string): FunctionRow | null {
  return BY_NAME.get(name) ?? BY_NAME.get(name.toLowerCase()) ?? null;
}

/** An array is never NULL: the parts of a text that is NULL are those of an empty one, as in ClickHouse. */
function printedList(row: FunctionRow, args: readonly Printed[], call: CallContext): Printed {
  const printed = row.print(args, call);
  if (printed.type.name !== 'Array' || !printed.type.nullable || row.aggregate === true) return printed;
  const isText = ({ type }: Printed): boolean => type.name === 'String' && type.nullable;
  if (!args.some(isText)) return printed;
  const filled = args.map((one) =>
    isText(one) ? { sql: `coalesce(${one.sql}, '')`, type: withNull(one.type, false) } : one,
  );
  return row.print(filled, call);
}

function bounded(row: FunctionRow): FunctionRow {
  return {
    ...row,
    print: (args, call) => {
      const printed = printedList(row, args, call);
      return printed.sql.length <= LONGEST_CALL
        ? printed
        : call.refuse(`This call of ${row.name} is too large.`);
    },
  };
}

/** Why a name that looks like an aggregate with a combinator is no function, or null. */
export function refusal(name: string): string | null {
  return refusedCombinator(name, (base) => findFunction(base)?.aggregate === true);
}

/** The names nearest to one that is no function, the nearest first; none when nothing is near. */
export function nearestFunctions(name: string): string[] {
  return nearest(name, candidates(name.toLowerCase()));
}

/** All names, and those of aggregates with the combinator at the end of the unknown name. */
function candidates(wanted: string): string[] {
  const endings = COMBINATOR_ENDINGS.filter((ending) => wanted.endsWith(ending.toLowerCase()));
  const aggregateNames = FUNCTIONS.filter((row) => row.aggregate === true).map((row) => row.name);
  return [
    ...FUNCTIONS.map((row) => row.name),
    ...Array.from(MACROS.values(), (macro) => macro.name),
    ...endings.flatMap((ending) => aggregateNames.map((base) => `${base}${ending}`)),
  ];
}
