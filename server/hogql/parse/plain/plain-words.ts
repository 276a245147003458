import { KEYWORDS } from '../../print/hogql-keywords.ts';

/**
 * Words that mean something to the grammar in one place or another. As a name, each is left to the grammar's own parser, but
 * for those that are columns of events.
 */
const WORDS: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ...`alias anti any ascending asof both collate cross current date day days descending except extract final finally first
      following for full global hour hours id if ignore include inner interpolate interval into key lang last leading left
      lambda minute minutes month months name natural notin nulls outer overlaps partition percent pivot preceding quarter
      quarters range replace respect return right row rows second seconds semi settings similar step substring ties
      timestamp to top totals trailing trim truncate try_cast unbounded unpivot var week weeks within year years`.split(
    /\s+/,
  ),
]);
/** Of these the ones that are names all the same, where no text follows them; people use them. */
const NAMES: ReadonlySet<string> = new Set(
  'any current date day days first hour hours id if key last minute month months name quarter second step timestamp week weeks year years'.split(
    ' ',
  ),
);

/** Most short words are no words of the grammar; those that are stand above. */
const MAX_ALIAS_LENGTH = 3;

/** Whether a word, in lower case, is a name wherever a name can stand, and nothing else. */
export function isPlainName(word: string): boolean {
  return !WORDS.has(word) || NAMES.has(word);
}

/** Whether a word, in lower case, is the other name of a table when no AS stands before it. */
export function isPlainAlias(word: string): boolean {
  return !WORDS.has(word) && word.length <= MAX_ALIAS_LENGTH;
}

/** The units of INTERVAL, and the functions that they are. */
export const UNITS: Readonly<Record<string, string>> = {
  second: 'toIntervalSecond',
  minute: 'toIntervalMinute',
  hour: 'toIntervalHour',
  day: 'toIntervalDay',
  week: 'toIntervalWeek',
  month: 'toIntervalMonth',
  quarter: 'toIntervalQuarter',
  year: 'toIntervalYear',
};
