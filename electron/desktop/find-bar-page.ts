/** The page of the find bar, as a `data:` address. It has no script and loads nothing; its preload wires it. */
export function findBarUrl(): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(HTML)}`;
}

const icon = (path: string): string =>
  `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Find in page</title>
<style>
:root { color-scheme: light dark; --surface: light-dark(#fff, #1e1c1a); --ink: light-dark(#1d1a17, #efece7); --soft: light-dark(#69625a, #9f988f); --line: light-dark(#d8d2c9, #393632); --hover: light-dark(#f2efea, #2e2b28); --accent: light-dark(#b87200, #f0ac3a); }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; background: transparent; overflow: hidden; }
body { padding: 0 0 4px; font: 13px/1.5 Inter, system-ui, sans-serif; color: var(--ink); }
form { display: flex; align-items: center; gap: 4px; height: 40px; padding: 0 6px 0 12px; border: 1px solid var(--line); border-top: 0; border-radius: 0 0 10px 10px; background: var(--surface); }
input { flex: 1; min-width: 0; height: 28px; border: 0; padding: 0; font: inherit; color: inherit; background: none; outline: 0; }
input::placeholder { color: var(--soft); opacity: 1; }
form:focus-within { border-color: var(--accent); }
output { flex: none; padding: 0 4px; color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; white-space: nowrap; }
button { flex: none; display: grid; place-items: center; width: 28px; height: 28px; border: 0; border-radius: 6px; padding: 0; color: var(--soft); background: none; }
button:hover { color: var(--ink); background: var(--hover); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
</style>
<form role="search" aria-label="Find in page">
<input id="text" type="text" placeholder="Find in page" aria-label="Find in page" autocomplete="off" spellcheck="false">
<output id="count" role="status"></output>
<button id="previous" type="button" aria-label="Previous match" title="Previous match (Shift+Enter)">${icon('M4 10l4-4 4 4')}</button>
<button id="next" type="button" aria-label="Next match" title="Next match (Enter)">${icon('M4 6l4 4 4-4')}</button>
<button id="close" type="button" aria-label="Close" title="Close (Esc)">${icon('M4 4l8 8M12 4l-8 8')}</button>
</form>
</html>`;
