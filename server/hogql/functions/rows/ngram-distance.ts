import { scalar, withNull } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach } from '../growth.ts';
import { asText, isNullable } from '../read-argument.ts';
import { caseless, ngramsOf, plain } from './tokens.ts';

const FLOAT = scalar('Float64');

/** Letters of a part; ClickHouse takes four bytes, or three letters in its functions for UTF-8. */
const BYTES = 4;
const LETTERS = 3;

/** How many parts two maps share, each as often as it is in both. */
function shared(a: string, b: string, call: CallContext): string {
  const entry = call.fresh();
  const both = `list_transform(map_entries(${a}), lambda ${entry}: least(${entry}.value, coalesce(${b}[${entry}.key], 0)))`;
  return `coalesce(list_sum(${both}), 0)`;
}

const countOf = (text: string, size: number): string => `greatest(length(${text}) - ${size - 1}, 0)`;

function comparing(
  name: string,
  size: number,
  read: (text: string) => string,
  measure: (share: { common: string; a: string; b: string }) => string,
): FunctionRow {
  return typed(name, 2, (args: readonly Printed[], call) => {
    const texts = args.map((one, at) => read(asText(one, call, at).sql));
    const sql = onceEach(texts, call, (x, y) =>
      onceEach(
        [`list_histogram(${ngramsOf(x!, size, call)})`, `list_histogram(${ngramsOf(y!, size, call)})`],
        call,
        (a, b) => {
          const common = shared(a!, b!, call);
          const share = measure({ common, a: countOf(x!, size), b: countOf(y!, size) });
          return `(CASE WHEN ${x!} IS NOT NULL AND ${y!} IS NOT NULL THEN ${share} END)`;
        },
      ),
    );
    return { sql, type: withNull(FLOAT, isNullable(args)) };
  });
}

/** 0 for texts of the same parts, 1 for those that share none. */
const distance = ({ common, a, b }: Record<'common' | 'a' | 'b', string>): string =>
  `coalesce(1 - 2.0::DOUBLE * ${common} / nullif(${a} + ${b}, 0), CAST(0 AS DOUBLE))`;

/** The share of the parts of the second text that the first one has. */
const search = ({ common, b }: Record<'common' | 'b', string>): string =>
  `coalesce(${common}::DOUBLE / nullif(${b}, 0), CAST(0 AS DOUBLE))`;

/** How much two texts resemble each other, by parts of a few letters. */
export const ngramDistances: readonly FunctionRow[] = [
  comparing('ngramDistance', BYTES, plain, distance),
  comparing('ngramDistanceCaseInsensitive', BYTES, caseless, distance),
  comparing('ngramDistanceUTF8', LETTERS, plain, distance),
  comparing('ngramDistanceCaseInsensitiveUTF8', LETTERS, caseless, distance),
  comparing('ngramSearch', BYTES, plain, search),
  comparing('ngramSearchCaseInsensitive', BYTES, caseless, search),
  comparing('ngramSearchUTF8', LETTERS, plain, search),
  comparing('ngramSearchCaseInsensitiveUTF8', LETTERS, caseless, search),
];
