import { arrayOf, scalar, withNull } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { FunctionRow, Printed } from '../function-row.ts';
import { onceEach, unlessTooLarge } from '../growth.ts';
import { asText, writtenWhole } from '../read-argument.ts';
import { firstTrue, truePlaces } from './searches.ts';

/** Letters that one may put in, leave out or change, at most. */
const MOST_EDITS = 8;
/** Letters that are laid beside letters for one text: the engine does not stop within two thousand rows. */
const MOST_COMPARED = 1_000_000;

/**
 * `multiFuzzyMatchAny(text, edits, [words…])`: whether the text contains a word, with up to `edits` letters inserted,
 * left out or changed. ClickHouse takes patterns for words; those with signs of patterns are refused here.
 */
function fuzzy(name: string, type: Printed['type'], shown: (matches: string) => string): FunctionRow {
  return typed(name, 3, (args, call) => {
    const text = asText(args[0]!, call, 0);
    const edits = writtenWhole(args, 1, call, 'The number of edits');
    if (edits < 0 || edits > MOST_EDITS) return call.refuse(`Up to ${MOST_EDITS} edits are allowed.`, 1);
    const words = args[2]!;
    if (words.type.name !== 'Array') return call.refuse('Expected an array.', 2);
    const [word, at, length] = [call.fresh(), call.fresh(), call.fresh()];
    const sql = onceEach([text.sql, words.sql], call, (x, all) => {
      const part = `substring(${x!}, ${at}, ${length})`;
      const lengths = `range(greatest(length(${word}) - ${edits}, 0), length(${word}) + ${edits + 1})`;
      const near = `list_bool_or(list_transform(${lengths}, lambda ${length}: levenshtein(${part}, ${word}) <= ${edits}))`;
      const found = `coalesce(list_bool_or(list_transform(range(1, length(${x!}) + 2), lambda ${at}: ${near})), false)`;
      const plain = `(CASE WHEN regexp_matches(${word}, '[][\\\\^$.|?*+(){}]') THEN error('Fuzzy matching supports words only, not regular expressions') ELSE ${found} END)`;
      const matches = `list_transform(${all!}, lambda ${word}: ${plain})`;
      const squares = `list_sum(list_transform(${all!}, lambda ${word}: length(${word})::DOUBLE * length(${word})))`;
      const compared = `(length(${x!}) + 1) * ${2 * edits + 1} * ${squares}`;
      const known = unlessTooLarge(`${compared} > ${MOST_COMPARED}`, shown(matches));
      return `(CASE WHEN ${x!} IS NOT NULL THEN ${known} END)`;
    });
    return { sql, type: withNull(type, text.type.nullable) };
  });
}

/** Words that a text contains, but for a few letters. */
export const fuzzyMatches: readonly FunctionRow[] = [
  fuzzy('multiFuzzyMatchAny', scalar('Bool'), (matches) => `(${firstTrue(matches)} > 0)`),
  fuzzy('multiFuzzyMatchAnyIndex', scalar('UInt64'), firstTrue),
  fuzzy('multiFuzzyMatchAllIndices', arrayOf(scalar('UInt64')), truePlaces),
];
