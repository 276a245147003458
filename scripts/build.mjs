#!/usr/bin/env node
// Builds into dist/ what is stale. `npm run build [-- --force] [part...]`; the parts are in parts.mjs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fingerprint } from './fingerprint.mjs';
import { parts } from './parts.mjs';

const STAMPS = 'dist/.built.json';

/**
 * Builds the named parts (default: all) that are stale, after those that they need, and returns their names. `onStart` is
 * called when a part begins, `onBuilt` with its name and its seconds when it is done. When some cannot be built the others
 * are finished and remembered all the same; then rejects with an error that names each.
 */
export async function build({
  names = Object.keys(parts),
  force = false,
  onStart = () => {},
  onBuilt = () => {},
} = {}) {
  const stamps = await readStamps();
  const built = [];
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  const start = (name) => {
    if (!running.has(name)) running.set(name, buildPart(name));
    return running.get(name);
  };
  const buildPart = async (name) => {
    const part = parts[name];
    const before = await Promise.allSettled((part.after ?? []).map(start));
    // The part before has said why.
    if (before.some(({ status }) => status === 'rejected')) return;
    const started = performance.now();
    const stamp = await fingerprint([...part.inputs, 'package-lock.json']);
    if (!force && stamps[name] === stamp && part.outputs.every((file) => existsSync(file))) return;
    delete stamps[name];
    onStart(name);
    await part.build().catch((error) => {
      throw new Error(`Cannot build ${name}: ${error.message}`, { cause: error });
    });
    stamps[name] = stamp;
    built.push(name);
    onBuilt(name, (performance.now() - started) / 1000);
  };
  for (const name of names) void start(name).catch(() => {});
  const results = await Promise.allSettled(running.values());
  await mkdir('dist', { recursive: true });
  await writeFile(STAMPS, JSON.stringify(stamps, null, 2));
  const failures = results.filter((result) => result.status === 'rejected');
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason.message).join('\n'));
  return built;
}

async function readStamps() {
  try {
    return JSON.parse(await readFile(STAMPS, 'utf8'));
  } catch {
    return {};
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { force: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    console.error(`There is no part named ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
    process.exit(2);
  }
  const started = performance.now();
  let isBuilding = false;
  try {
    const built = await build({
      names: positionals.length > 0 ? positionals : undefined,
      force: values.force,
      onStart: () => {
        if (!isBuilding) console.log('Building what has changed…');
        isBuilding = true;
      },
      onBuilt: (name, seconds) => console.log(`  ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`),
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      built.length > 0
        ? `Built ${built.length === 1 ? 'one part' : `${built.length} parts`} in ${seconds} s.`
        : 'Everything is up to date.',
    );
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
