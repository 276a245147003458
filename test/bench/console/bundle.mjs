// @ts-check
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const CONSOLE = new URL('../../../dist/renderer/', import.meta.url);
/** The static imports of minified modules: `import{a}from"./b.js"`, `import"./b.js"`, `export{a}from"./b.js"`; never `import("./b.js")`. */
const STATIC_IMPORT = /\b(?:import|export)\s*(?:[\w*{}$,\s]+?from\s*)?["']\.\/([\w.-]+\.js)["']/g;

/**
 * Bytes that every screen of the built console loads before its own, each file compressed by itself: the scripts and styles
 * that the page names, and their static imports.
 */
export async function bundleBytes() {
  const html = await readFile(new URL('index.html', CONSOLE), 'utf8');
  const waiting = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  /** @type {Map<string, number>} */
  const bytes = new Map();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (bytes.has(path)) continue;
    const file = await readFile(new URL(path, CONSOLE));
    bytes.set(path, gzipSync(file).length);
    if (path.endsWith('.js')) {
      for (const [, name] of file.toString().matchAll(STATIC_IMPORT)) waiting.push(`assets/${name}`);
    }
  }
  return [...bytes.values()].reduce((sum, one) => sum + one, 0);
}
