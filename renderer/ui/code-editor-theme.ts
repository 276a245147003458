import { EditorView } from '@codemirror/view';

const MONO = { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-12)' };
const WORDS = {
  fontFamily: 'var(--font-sans)',
  fontSize: 'var(--text-12)',
  padding: 'var(--s-2) var(--s-3)',
};
const SELECTION = { background: 'color-mix(in srgb, var(--accent) 28%, transparent)' };

/** How CodeMirror looks here: tokens only, so that it follows the theme of the page by itself. */
export const codeEditorTheme = EditorView.theme({
  '&': { minHeight: '100%', color: 'var(--ink)', fontSize: 'var(--text-12)' },
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': { ...MONO, lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: 'var(--s-2) var(--s-4) var(--s-2) 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-gutters': { paddingLeft: 'var(--s-3)', border: '0', background: 'none', color: 'var(--ink-3)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--n-2)' },
  '.cm-selectionBackground': SELECTION,
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': SELECTION,
  '&.cm-focused .cm-matchingBracket': { outline: '1px solid var(--line-strong)', background: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red-mark)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--red-mark)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r)',
    background: 'var(--raised)',
    boxShadow: 'var(--shadow)',
    color: 'var(--ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { ...MONO, maxHeight: '252px', minWidth: '280px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: 'var(--s-3)',
    padding: '2px var(--s-2)',
    lineHeight: '20px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--press)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { color: 'var(--accent-text)', textDecoration: 'none' },
  '.cm-completionDetail': { marginLeft: 'auto', color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { ...WORDS, maxWidth: '320px' },
  '.cm-diagnostic-error': { ...WORDS, maxWidth: '420px', borderLeft: '3px solid var(--red-mark)' },
});
