import { parseExactly } from '../../../lib/exact-number.contract.ts';
import { readFile, stat } from 'node:fs/promises';
import { ApiError } from '../../../errors.ts';
import type { Actor } from '../../../http/define-route.ts';
import { ConfigError } from '../../../lib/config-error.ts';
import { isTooDeep } from '../../../lib/json-depth.ts';
import type { Log } from '../../../lib/log.ts';
import type { ImportReport } from './flag-file.contract.ts';
import type { FlagFiles } from './flag-file.service.ts';
import { readFlagFile, type FlagFile } from './read-flag-file.ts';

const MAX_FILE_BYTES = 20_971_520;

/** Takes over the flags of a file into a project, as its owner, before the first request for them. Throws ConfigError. */
export async function startWithFile(
  files: FlagFiles,
  { path, actor, log }: { path: string; actor: Actor; log: Log },
): Promise<void> {
  const wrong = (what: string): ConfigError => new ConfigError(`--flags: ${path}: ${what}`);
  const file = await readStartFile(path, wrong);
  const report = await files.import(actor, actor.currentProjectId, file, { dryRun: false });
  if (!report.applied) throw wrong(sentenceOf(report));
  for (const note of report.notes) log.warn({ file: path }, note);
  log.info({ file: path, flags: countsOf(report) }, 'Flags of the file are in use');
}

async function readStartFile(path: string, wrong: (what: string) => ConfigError): Promise<FlagFile> {
  const text = await readText(path, wrong);
  if (isTooDeep(text)) throw wrong('it is nested too deeply.');
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    throw wrong(`it is not valid JSON: ${(error as Error).message}`);
  }
  try {
    return readFlagFile(value);
  } catch (error) {
    throw error instanceof ApiError ? wrong(error.message) : error;
  }
}

async function readText(path: string, wrong: (what: string) => ConfigError): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw wrong(`it is larger than ${MAX_FILE_BYTES} bytes.`);
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw wrong(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}

/** The first refusal, and how many more there are. */
function sentenceOf({ flags, cohorts }: ImportReport): string {
  const refusals = [
    ...cohorts.map(({ name, ...rest }) => ({ what: `the cohort '${name}'`, ...rest })),
    ...flags.map(({ key, ...rest }) => ({ what: `the flag '${key}'`, ...rest })),
  ].filter(({ outcome }) => outcome === 'refused');
  const [first] = refusals;
  const more = refusals.length > 1 ? ` (and ${refusals.length - 1} more)` : '';
  return `${first!.what} is rejected${more}: ${first!.reason}`;
}

function countsOf({ flags }: ImportReport): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of flags) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
