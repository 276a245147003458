/** Addresses behind the buttons of the error page; the shell acts on them and loads nothing. */
export const errorPageActions = { retry: 'burrow:retry', quit: 'burrow:quit' } as const;

export interface Failure {
  /** What happened and what to do, in a sentence or two. */
  message: string;
  /** The newest lines of the server's log; may be empty. */
  detail: string;
}

/** A page, as a `data:` address, for when there is no server to serve one. It has no script and loads nothing. */
export function errorPageUrl(failure: Failure): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(errorPageHtml(failure))}`;
}

export function errorPageHtml({ message, detail }: Failure): string {
  const log =
    detail.trim() === ''
      ? ''
      : `<details><summary>What the server wrote last</summary><pre>${escapeHtml(detail.trim())}</pre></details>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Burrow cannot start</title>
<style>${STYLE}</style>
<main>
<svg viewBox="0 0 16 16" width="40" height="40" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${MARK}"/></svg>
<h1>Burrow cannot start</h1>
<p>${escapeHtml(message)}</p>
<p class="soft">What was stored is still in the data folder.</p>
<nav><a class="primary" href="${errorPageActions.retry}">Try again</a><a href="${errorPageActions.quit}">Quit</a></nav>
${log}
</main>
</html>`;
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
summary { cursor: default; color: var(--soft); }`;
