import { SQLDialect } from '@codemirror/lang-sql';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** Words that HogQL gives a meaning, as far as SELECT goes; without those that are names of functions too. */
const KEYWORDS =
  'all and anti as asc asof between both by case cross cube desc distinct else end ' +
  'except exists filter final following for from full group having ilike in inner intersect interval into is join ' +
  'leading left like limit not nulls offset on or order outer over partition preceding prewhere right rollup rows ' +
  'sample select semi settings then ties totals trailing unbounded union using when where window with';

/** How HogQL is written: names in backticks or double quotes, backslashes in texts. */
export const hogqlDialect = SQLDialect.define({
  keywords: KEYWORDS,
  builtin: '',
  types: '',
  backslashEscapes: true,
  identifierQuotes: '`"',
  operatorChars: '*+-%<>!=&|~^/?:',
});

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: 'var(--syn-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syn-str)' },
  { tag: tags.number, color: 'var(--syn-num)' },
  { tag: tags.comment, color: 'var(--syn-com)' },
]);

/** The colours of the tokens. */
export const hogqlColors: Extension = syntaxHighlighting(style);
