import type { Failed } from '../server-process.ts';
import { addressOf, escapeHtml, shellPage, shellPageActions, type ShellPageAction } from './shell-pages.ts';

/** What can be done about a failure: a line with one button. */
interface Way {
  action: ShellPageAction;
  title: string;
  text: string;
  button: string;
}

interface Explanation {
  /** What was not lost. */
  safe: string;
  /** The best one first. */
  ways: readonly Way[];
}

const OTHER_FOLDER: Way = {
  action: 'openFolder',
  title: 'Open another data folder',
  text: 'A copy, another project’s folder or an empty one. This one stays as it is.',
  button: 'Choose folder',
};
const DEFAULTS: Way = {
  action: 'defaultOptions',
  title: 'Start with default options',
  text: 'settings.json is renamed and stays in the data folder. Set the options again in Settings > App.',
  button: 'Use defaults',
};
const SDKS = 'Most SDKs keep events that they could not send, and send them later.';

function retry(title: string, text: string): Way {
  return { action: 'retry', title, text, button: 'Retry' };
}

/** What in the data folder can help. */
export interface FolderContents {
  /** The name of a file; null: there is none. */
  newestBackup: string | null;
  /** Whether there is a settings file, whose options may be what is wrong. */
  hasSettings: boolean;
}

/** What each failure leaves intact, and what to do. */
export function explainFailure(
  { reason, port }: Pick<Failed, 'reason' | 'port'>,
  { newestBackup, hasSettings }: FolderContents,
): Explanation {
  if (reason === 'port') {
    const otherPort: Way = {
      action: 'otherPort',
      title: 'Start on another port, this time only',
      text: 'Burrow takes a free one. Apps that are to send events meanwhile need the new address.',
      button: 'Use another port',
    };
    const again = retry(
      'Start again',
      port !== null ? 'After the other program has ended.' : 'After the address has been corrected.',
    );
    const ways = port !== null ? [otherPort, again] : hasSettings ? [DEFAULTS, again] : [again];
    return { safe: `Stored events are safe. ${SDKS}`, ways };
  }
  if (reason === 'folder_in_use') {
    const attach: Way = {
      action: 'attach',
      title: 'Attach to that Burrow',
      text: 'Shows its data in this window. It keeps running when you quit this app.',
      button: 'Attach',
    };
    const again = retry('Start again', 'After the other program has ended.');
    return {
      safe: 'Nothing is wrong with the data: only one program at a time can write to a folder.',
      ways: [attach, again, OTHER_FOLDER],
    };
  }
  if (reason === 'damaged') {
    const restore: Way = {
      action: 'restore',
      title: 'Restore a backup',
      text: `${newestBackup === null ? 'There is none in the data folder: choose one that you copied elsewhere.' : `The newest one is ${newestBackup}.`} Events stored after it are missing; the damaged file is kept beside it.`,
      button: 'Choose backup',
    };
    const again = retry('Start again', 'After you have put the file in order yourself.');
    return {
      safe: `The file is unchanged and nothing was deleted. ${SDKS}`,
      ways: [restore, OTHER_FOLDER, again],
    };
  }
  if (reason === 'settings') {
    const again = retry('Start again', 'After you have corrected settings.json in the data folder.');
    return { safe: `Stored events are safe. ${SDKS}`, ways: [DEFAULTS, again, OTHER_FOLDER] };
  }
  if (reason === 'folder_missing') {
    const again = retry('Start again', 'After you have connected its drive, or put the folder back.');
    return { safe: 'Nothing was created or deleted.', ways: [again, OTHER_FOLDER] };
  }
  if (reason === 'read_only') {
    const again = retry('Start again', 'After you have made the folder writable for your user.');
    return { safe: 'Nothing was changed or deleted.', ways: [again, OTHER_FOLDER] };
  }
  if (reason === 'disk_full') {
    const again = retry('Start again', 'After you have freed disk space.');
    return { safe: `Stored events are safe and nothing was deleted. ${SDKS}`, ways: [again, OTHER_FOLDER] };
  }
  const again = retry(
    'Start again',
    'The log below says more. Diagnostics help when you report the problem.',
  );
  return { safe: 'Stored data is still in the data folder.', ways: [again, OTHER_FOLDER] };
}

export interface FailurePage extends Omit<Failed, 'phase'>, FolderContents {
  /** Why the last button pressed did not help; empty: it has not been tried. */
  problem: string;
  version: string;
}

/** The page of a window whose server cannot start, as a `data:` address. */
export function failurePageUrl(failure: FailurePage): string {
  return addressOf(failurePageHtml(failure));
}

export function failurePageHtml(failure: FailurePage): string {
  const { message, detail, dataDir, problem, version } = failure;
  const { safe, ways } = explainFailure(failure, failure);
  const log =
    detail.trim() === ''
      ? ''
      : `<details><summary>Server log</summary><pre tabindex="0">${escapeHtml(detail.trim())}</pre></details>`;
  return shellPage(
    { title: 'Burrow cannot start', mark: CROSS, isWide: true },
    `<p>${escapeHtml(message)}</p>
<p class="soft">${escapeHtml(safe)}</p>
${problem === '' ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<section class="card" aria-label="What you can do">
${ways.map((way, index) => lineOf(way, index === 0)).join('\n')}
</section>
${dataDir === null ? '' : `<p class="soft folder">Data folder: <code>${escapeHtml(dataDir)}</code></p>`}
<nav>
${dataDir === null ? '' : `<a class="ghost" href="${shellPageActions.showFolder}">Show data folder</a>`}
<a class="ghost" href="${shellPageActions.copyDiagnostics}">Copy diagnostics</a>
<a class="ghost" href="${shellPageActions.quit}">Quit</a>
<span class="soft end">Burrow ${escapeHtml(version)} · no event data in the diagnostics</span>
</nav>
${log}`,
  );
}

function lineOf({ action, title, text, button }: Way, isFirst: boolean): string {
  return `<div class="way"><div><b>${escapeHtml(title)}</b><p class="soft">${escapeHtml(text)}</p></div><a class="${isFirst ? 'primary' : 'plain'}" href="${shellPageActions[action]}">${escapeHtml(button)}</a></div>`;
}

const CROSS =
  '<span class="badge"><svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="m15 9-6 6m0-6 6 6"/></svg></span>';
