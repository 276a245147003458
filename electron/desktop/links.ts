import { readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LINK_SCREENS, LINK_THINGS, type LinkThing } from '../channels.ts';

/** What a link or a path on the command line means. */
export type Target =
  /** A path of the console. */
  | { kind: 'page'; path: string }
  | { kind: 'backup'; file: string }
  | { kind: 'flags'; file: string }
  /** A sentence: why nothing opens. */
  | { kind: 'refused'; reason: string };

const IDS: Readonly<Record<LinkThing, RegExp>> = {
  action: /^\d{1,15}$/,
  cohort: /^\d{1,15}$/,
  dashboard: /^\d{1,15}$/,
  flag: /^\d{1,15}$/,
  insight: /^[A-Za-z0-9_-]{1,64}$/,
  person: /^[^\p{Cc}]{1,400}$/u,
  shared: /^[A-Za-z0-9_-]{1,128}$/,
};
const PROJECT = /^\d{1,15}$/;
const LONGEST_LINK = 2_000;

/**
 * Reads `burrow://dashboard/7`, a file's address or its path, relative to `folder`. Links name a screen or a thing of the
 * console and nothing else: what they lead to is put together here, from names of a table and checked ids.
 */
export function parseTarget(text: string, folder: string): Target {
  if (/^burrow:/i.test(text)) return parseLink(text);
  if (/^file:/i.test(text)) {
    const file = pathOfFileUrl(text);
    return file === null ? refused(`Burrow cannot read the file address ${quoted(text)}.`) : targetOf(file);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    return refused(`Burrow opens links that start with burrow://, not ${quoted(text)}.`);
  return targetOf(isAbsolute(text) ? text : resolve(folder, text));
}

function parseLink(link: string): Target {
  const unknown = refused(
    `The link ${quoted(link)} names nothing that Burrow can show. Links look like burrow://dashboard/7 or burrow://connect.`,
  );
  // The parser of addresses would take steps up before they are seen here.
  if (link.length > LONGEST_LINK || /\/\.\.?([/?#]|$)/.test(link) || !URL.canParse(link)) return unknown;
  const url = new URL(link);
  if (url.host === '' || url.port !== '' || url.username !== '' || url.password !== '') return unknown;
  const parts = decoded([url.host, ...url.pathname.split('/').slice(1)]);
  if (parts === null) return unknown;
  // Some desktops add a slash.
  if (parts.at(-1) === '') parts.pop();
  let query = '';
  if (parts[0] === 'project') {
    const [, project = ''] = parts.splice(0, 2);
    if (!PROJECT.test(project)) return unknown;
    query = `?project=${project}`;
  }
  const [name = '', id, ...more] = parts;
  if (more.length > 0) return unknown;
  if (id === undefined) return isScreen(name) ? { kind: 'page', path: `/link/${name}${query}` } : unknown;
  // A segment of dots would be taken for a step up.
  if (!isThing(name) || !IDS[name].test(id) || /^\.+$/.test(id)) return unknown;
  return { kind: 'page', path: `/link/${name}/${encodeURIComponent(id)}${query}` };
}

function targetOf(file: string): Target {
  const name = basename(file);
  if (/\.(burrow|duckdb)$/i.test(name)) return { kind: 'backup', file };
  if (/\.json$/i.test(name)) return { kind: 'flags', file };
  return refused(
    `Burrow cannot open ${quoted(name)}. It opens backups (.burrow, .duckdb) and files of feature flags (.json).`,
  );
}

/** What a second process sends to the first. Electron's own arguments of that event are rearranged. */
export const secondStart = z.object({ argv: z.array(z.string()), cwd: z.string() });

/** A text of a file that a user opened; throws a sentence. */
export function readSmallFile(file: string, mostBytes: number): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new Error(`There is no file at ${file}.`);
  if (found.size > mostBytes)
    throw new Error(`${basename(file)} is larger than ${mostBytes / 1e6} MB and was not read.`);
  return readFileSync(file, 'utf8');
}

function isScreen(name: string): boolean {
  return (LINK_SCREENS as readonly string[]).includes(name);
}

function isThing(name: string): name is LinkThing {
  return (LINK_THINGS as readonly string[]).includes(name);
}

function decoded(parts: readonly string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    // A percent sign that begins nothing.
    return null;
  }
}

function pathOfFileUrl(text: string): string | null {
  try {
    return fileURLToPath(text);
  } catch {
    // Of another machine, or no address at all.
    return null;
  }
}

function refused(reason: string): Target {
  return { kind: 'refused', reason };
}

function quoted(text: string): string {
  return `“${text.length > 120 ? `${text.slice(0, 120)}…` : text}”`;
}
