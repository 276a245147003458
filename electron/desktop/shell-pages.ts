/** Addresses behind the buttons of these pages; the shell acts on them and loads nothing. */
export const shellPageActions = {
  retry: 'burrow:retry',
  quit: 'burrow:quit',
  showFolder: 'burrow:show-folder',
} as const;

export interface Failure {
  /** What happened and what to do, in a sentence or two. */
  message: string;
  /** The newest lines of the server's log; may be empty. */
  detail: string;
}

export interface Starting {
  /** What the server is doing, or null while it has not said so. */
  step: string | null;
  /** Shows buttons: nothing has changed for a minute. */
  isSlow: boolean;
}

/** The page of a window whose server cannot start, as a `data:` address. */
export function errorPageUrl(failure: Failure): string {
  return addressOf(errorPageHtml(failure));
}

/** The page of a window whose server starts, as a `data:` address. */
export function startPageUrl(starting: Starting): string {
  return addressOf(startPageHtml(starting));
}

export function errorPageHtml({ message, detail }: Failure): string {
  const log =
    detail.trim() === ''
      ? ''
      : `<details><summary>Server log</summary><pre>${escapeHtml(detail.trim())}</pre></details>`;
  return shellPage(
    'Burrow cannot start',
    `<p>${escapeHtml(message)}</p>
<p class="soft">Stored data is still in the data folder.</p>
<nav><a class="primary" href="${shellPageActions.retry}">Retry</a><a href="${shellPageActions.quit}">Quit</a></nav>
${log}`,
  );
}

export function startPageHtml({ step, isSlow }: Starting): string {
  const buttons = isSlow
    ? `<p class="soft">This takes longer than usual. You can wait or quit; no data is lost.</p>
<nav><a href="${shellPageActions.showFolder}">Show data folder</a><a href="${shellPageActions.quit}">Quit</a></nav>`
    : '';
  return shellPage(
    'Burrow is starting',
    `<p role="status">${escapeHtml(step ?? 'Starting the server')}…</p>
<div class="progress" role="progressbar" aria-label="Starting"></div>
${buttons}`,
  );
}

/** A page for when there is no server to serve one. It has no script and loads nothing. */
function shellPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<svg viewBox="0 0 16 16" width="40" height="40" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${MARK}"/></svg>
<h1>${title}</h1>
${body}
</main>
</html>`;
}

function addressOf(html: string): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const MARK = 'M1 15V8a7 7 0 0 1 14 0v7zM4 11v4h2v-4zm3-3v7h2V8zm3-3v10h2V5z';

const STYLE = `
:root { color-scheme: light dark; --canvas: #fcfbf9; --ink: #1d1a17; --soft: #69625a; --line: #d8d2c9; --accent: #f2ab2e; }
@media (prefers-color-scheme: dark) { :root { --canvas: #11100f; --ink: #efece7; --soft: #9f988f; --line: #393632; --accent: #f0ac3a; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--ink); font: 13px/1.5 Inter, system-ui, sans-serif; }
main { box-sizing: border-box; width: min(520px, 100vw); padding: 24px; }
h1 { font-size: 20px; font-weight: 600; margin: 16px 0 8px; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
nav { display: flex; gap: 8px; margin: 24px 0; }
a { padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; color: inherit; text-decoration: none; font-weight: 500; }
a.primary { background: var(--accent); border-color: var(--accent); color: #1d1a17; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre { max-height: 200px; overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px; font: 11px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: default; color: var(--soft); }
.progress { height: 3px; margin-top: 16px; border-radius: 3px; background: linear-gradient(90deg, var(--line) 40%, var(--accent) 50%, var(--line) 60%) 0 0 / 250% 100%; animation: slide 1.6s linear infinite; }
@keyframes slide { from { background-position: 125% 0; } to { background-position: -125% 0; } }
@media (prefers-reduced-motion: reduce) { .progress { animation: none; } }`;
