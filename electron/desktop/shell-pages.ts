/** Addresses behind the buttons of these pages; the shell acts on them and loads nothing. */
export const shellPageActions = {
  retry: 'burrow:retry',
  otherPort: 'burrow:other-port',
  attach: 'burrow:attach',
  restore: 'burrow:restore',
  defaultOptions: 'burrow:default-options',
  openFolder: 'burrow:open-folder',
  showFolder: 'burrow:show-folder',
  copyDiagnostics: 'burrow:copy-diagnostics',
  quit: 'burrow:quit',
} as const;

export type ShellPageAction = keyof typeof shellPageActions;

export interface Starting {
  /** What the server is doing, or null while it has not said so. */
  step: string | null;
  /** What it has done in this start. */
  done: readonly string[];
  /** Null: the server has not named it. */
  dataDir: string | null;
  /** Shows buttons: nothing has changed for a minute. */
  isSlow: boolean;
}

/** The page of a window whose server starts, as a `data:` address. */
export function startPageUrl(starting: Starting): string {
  return addressOf(startPageHtml(starting));
}

export function startPageHtml({ step, done, dataDir, isSlow }: Starting): string {
  const buttons = isSlow
    ? `<p class="soft">This takes longer than usual. You can wait or quit; no data is lost.</p>
<nav><a class="plain" href="${shellPageActions.showFolder}">Show data folder</a><a class="plain" href="${shellPageActions.openFolder}">Open another folder</a><a class="plain" href="${shellPageActions.quit}">Quit</a></nav>`
    : '';
  const replays = /^Replaying/.test(step ?? '')
    ? '<p class="note">The last session ended without closing the database. Nothing is lost; this happens once.</p>'
    : '';
  return shellPage(
    { title: 'Burrow is starting', mark: burrowMark() },
    `${dataDir === null ? '' : `<p class="soft"><code>${escapeHtml(dataDir)}</code></p>`}
<div class="progress" role="progressbar" aria-label="Starting"></div>
${done.map((one) => `<p class="soft">✓ ${escapeHtml(one)}</p>`).join('\n')}
<p role="status">${escapeHtml(step ?? 'Starting the server')}…</p>
${replays}
${buttons}`,
  );
}

/** A page for when there is no server to serve one. It has no script and loads nothing. */
export function shellPage(
  { title, mark, isWide = false }: { title: string; mark: string; isWide?: boolean },
  body: string,
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<main${isWide ? ' class="wide"' : ''}>
<header>${mark}<h1>${title}</h1></header>
${body}
</main>
</html>`;
}

export function addressOf(html: string): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function burrowMark(): string {
  return '<svg viewBox="0 0 16 16" width="40" height="40" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="M1 15V8a7 7 0 0 1 14 0v7zM4 11v4h2v-4zm3-3v7h2V8zm3-3v10h2V5z"/></svg>';
}

/** The colours of the console (renderer/ui/tokens.css), whose files no server can send here. */
const STYLE = `
:root { color-scheme: light dark; --canvas: #fcfbf9; --surface: #fff; --well: #f6f4f0; --ink: #1d1a17; --soft: #69625a; --line: #e5e0d8; --strong: #d8d2c9; --accent: #f2ab2e; --red: #b3261e; --red-soft: #fdecea; }
@media (prefers-color-scheme: dark) { :root { --canvas: #11100f; --surface: #191817; --well: #1f1d1c; --ink: #efece7; --soft: #9f988f; --line: #2b2926; --strong: #393632; --accent: #f0ac3a; --red: #f2867c; --red-soft: #3a1d1a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--ink); font: 13px/1.5 Inter, system-ui, sans-serif; }
main { width: min(520px, 100%); padding: 24px; }
main.wide { width: min(768px, 100%); }
h1 { font-size: 20px; font-weight: 600; margin: 16px 0 8px; }
.wide > header { display: flex; align-items: center; gap: 12px; margin-bottom: 12px; }
.wide h1 { margin: 0; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.badge { display: grid; place-items: center; width: 40px; height: 40px; border-radius: 20px; background: var(--red-soft); color: var(--red); }
.problem { margin: 16px 0; padding: 8px 12px; border-radius: 6px; background: var(--red-soft); color: var(--red); }
.card { margin: 24px 0 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.way { display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap; gap: 8px 16px; padding: 12px 16px; }
.way + .way { border-top: 1px solid var(--line); }
.way > div { flex: 1 1 240px; }
.way p { margin: 0; }
b { font-weight: 600; }
nav { display: flex; align-items: center; flex-wrap: wrap; gap: 8px; margin: 16px 0; }
.end { margin-left: auto; font-size: 12px; }
a { flex: none; padding: 4px 12px; border: 1px solid var(--strong); border-radius: 6px; color: inherit; text-decoration: none; font-weight: 500; }
a.primary { background: var(--accent); border-color: var(--accent); color: #1d1a17; }
a.ghost { border-color: transparent; }
a.ghost:first-child { margin-left: -12px; }
a:not(.primary):hover { background: var(--well); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 12px/1.5 'JetBrains Mono', ui-monospace, monospace; overflow-wrap: anywhere; }
pre { max-height: 200px; overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--well); white-space: pre-wrap; }
summary { cursor: default; color: var(--soft); }
.note { margin: 16px 0; padding: 8px 12px; border-radius: 6px; background: var(--well); color: var(--soft); }
.progress { height: 3px; margin: 16px 0; border-radius: 3px; background: linear-gradient(90deg, var(--line) 40%, var(--accent) 50%, var(--line) 60%) 0 0 / 250% 100%; animation: slide 1.6s linear infinite; }
@keyframes slide { from { background-position: 125% 0; } to { background-position: -125% 0; } }
@media (prefers-reduced-motion: reduce) { .progress { animation: none; } }`;
