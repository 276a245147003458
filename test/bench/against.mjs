// @ts-check
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OWN_BUILD, useBuild } from './servers.mjs';
import { percentile } from './statistics.mjs';

/** @typedef {import('./servers.mjs').Build} Build */
/** Figures of a run by their paths: `decide.decideP50`. @typedef {Map<string, number>} Figures */

/**
 * Another commit, built in `folder` with the packages of this one.
 * @param {string} commit
 * @param {string} folder
 * @returns {Promise<Build>}
 */
export async function otherBuild(commit, folder) {
  const own = fileURLToPath(OWN_BUILD.folder);
  const other = join(folder, 'other');
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', own, other]);
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: other });
  await symlink(join(own, 'node_modules'), join(other, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: other, stdio: 'ignore' });
  return { folder: pathToFileURL(`${other}/`) };
}

/**
 * Measures both builds in turn, each first in every other pair. Returns a table of the ratios, this build to the other:
 * the median of the pairs with its quartiles.
 * @param {Build} other
 * @param {{ pairs: number, once: () => Promise<object>, progress: (text: string) => void }} options
 * @returns {Promise<string>}
 */
export async function compareBuilds(other, { pairs, once, progress }) {
  /** @type {{ mine: Figures, theirs: Figures }[]} */
  const measured = [];
  for (let n = 0; n < pairs; n += 1) {
    progress(`pair ${n + 1}/${pairs}`);
    /** @type {Figures[]} */
    const figures = [];
    for (const build of n % 2 === 0 ? [OWN_BUILD, other] : [other, OWN_BUILD]) {
      useBuild(build);
      figures.push(figuresOf(await once()));
    }
    const [mine, theirs] = n % 2 === 0 ? figures : figures.toReversed();
    if (mine !== undefined && theirs !== undefined) measured.push({ mine, theirs });
  }
  const names = [...(measured[0]?.mine.keys() ?? [])];
  const rows = names.flatMap((name) => {
    const of = (/** @type {'mine' | 'theirs'} */ whose) =>
      measured.map((pair) => pair[whose].get(name) ?? NaN);
    const ratios = of('mine').map((mine, n) => mine / (of('theirs')[n] ?? NaN));
    if (ratios.every((ratio) => !Number.isFinite(ratio))) return [];
    const at = (/** @type {number} */ share) => percentile(ratios, share).toFixed(2);
    const middle = (/** @type {number[]} */ values) => percentile(values, 0.5).toPrecision(4);
    return [
      `| ${name} | ${middle(of('mine'))} | ${middle(of('theirs'))} | ${at(0.5)} | ${at(0.25)} to ${at(0.75)} |`,
    ];
  });
  return ['| figure | this | other | ratio | quartiles |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/**
 * @param {unknown} value
 * @param {string} [path]
 * @param {Figures} [figures]
 */
function figuresOf(value, path = '', figures = new Map()) {
  if (typeof value === 'number') figures.set(path, value);
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      figuresOf(part, path === '' ? key : `${path}.${key}`, figures);
  return figures;
}
