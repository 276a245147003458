import { syntaxTree } from '@codemirror/language';
import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';

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
