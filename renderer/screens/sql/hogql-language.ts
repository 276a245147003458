import { SQLDialect } from '@codemirror/lang-sql';
import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { RangeSetBuilder, type Extension } from '@codemirror/state';
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The keywords of HogQL's SELECT; without those that are also names of functions. */
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

const CALL = Decoration.mark({ class: 'cm-call' });
const NAME_BEFORE_PARENTHESIS = /\b[A-Za-z_]\w*(?=\()/g;
/** Places where a word before a parenthesis is no call. */
const NOT_CODE = new Set(['String', 'LineComment', 'BlockComment', 'QuotedIdentifier', 'Keyword']);

/** Colours the names of calls: SQL's grammar takes them for any name. */
export const functionMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = callsIn(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = callsIn(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const PARAMETER = new MatchDecorator({
  regexp: /\{\s*[A-Za-z_][\w.]*\s*\}/g,
  decoration: Decoration.mark({ class: 'cm-parameter' }),
});

/** Marks the names in braces, whose values are typed above the editor. */
export const parameterMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = PARAMETER.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = PARAMETER.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function callsIn({ state, visibleRanges }: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (const match of state.sliceDoc(from, to).matchAll(NAME_BEFORE_PARENTHESIS)) {
      const at = from + match.index;
      if (NOT_CODE.has(syntaxTree(state).resolveInner(at, 1).name)) continue;
      found.add(at, at + match[0].length, CALL);
    }
  }
  return found.finish();
}
