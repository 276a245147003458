import { describe, expect, test } from 'vitest';
import { explainFailure, failurePageHtml, failurePageUrl, type FailurePage } from './failure-page.ts';

const FAILURE: FailurePage = {
  reason: 'other',
  message: '',
  detail: '',
  port: null,
  dataDir: null,
  newestBackup: null,
  hasSettings: false,
  problem: '',
  version: '0.1.0',
};

describe('the page shown when there is no server', () => {
  test('shows what happened, what was not lost and what to do next', () => {
    const html = failurePageHtml({ ...FAILURE, message: 'It stopped.', dataDir: '/data' });
    expect(html).toContain('It stopped.');
    expect(html).toContain('Stored data is still in the data folder.');
    expect(html).toContain('<code>/data</code>');
    for (const action of ['retry', 'open-folder', 'show-folder', 'copy-diagnostics', 'quit'])
      expect(html).toContain(`href="burrow:${action}"`);
    expect(html).not.toContain('<details>');
  });

  test.each([
    ['port', 2877, null, ['otherPort', 'retry']],
    ['port', null, null, ['retry']],
    ['folder_in_use', null, null, ['attach', 'retry', 'openFolder']],
    ['damaged', null, 'burrow-20261119-080000.duckdb', ['restore', 'openFolder', 'retry']],
    ['read_only', null, null, ['retry', 'openFolder']],
    ['disk_full', null, null, ['retry', 'openFolder']],
    ['settings', null, null, ['defaultOptions', 'retry', 'openFolder']],
    ['folder_missing', null, null, ['retry', 'openFolder']],
    ['other', null, null, ['retry', 'openFolder']],
  ] as const)('for %s (port %s) the best way is first', (reason, port, backup, actions) => {
    const { ways } = explainFailure({ reason, port }, { newestBackup: backup, hasSettings: false });
    expect(ways.map(({ action }) => action)).toEqual(actions);
    const html = failurePageHtml({ ...FAILURE, reason, port, newestBackup: backup });
    expect(html.match(/class="primary"/g)).toHaveLength(1);
    expect(html).toMatch(new RegExp(`class="primary"[^>]*>${ways[0]!.button}<`));
  });

  test('an address that this machine has no more can be left by going back to the defaults', () => {
    const { ways } = explainFailure(
      { reason: 'port', port: null },
      { newestBackup: null, hasSettings: true },
    );
    expect(ways.map(({ action }) => action)).toEqual(['defaultOptions', 'retry']);
  });

  test('names the newest backup of a damaged folder, or says that there is none', () => {
    const text = (backup: string | null) =>
      explainFailure({ reason: 'damaged', port: null }, { newestBackup: backup, hasSettings: true }).ways[0]!
        .text;
    expect(text('burrow-20261119-080000.duckdb')).toContain('burrow-20261119-080000.duckdb');
    expect(text(null)).toContain('There is none in the data folder');
  });

  test('shows the end of the log when there is one, and why a button did not help', () => {
    const html = failurePageHtml({ ...FAILURE, detail: 'disk full\n', problem: 'It is no database.' });
    expect(html).toContain('>disk full</pre>');
    expect(html).toContain('It is no database.');
  });

  test('text of the server cannot become markup', () => {
    const html = failurePageHtml({
      ...FAILURE,
      message: '<script>alert(1)</script>',
      detail: '</pre><img src=x onerror="y">',
      problem: '<img src=x>',
      dataDir: '/<img>',
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
  });

  test('has no script and may load nothing', () => {
    expect(failurePageHtml(FAILURE)).toContain(`default-src 'none'; style-src 'unsafe-inline'`);
  });

  test('any text is unchanged after a round trip through a URL', () => {
    const message = 'Ordner „Größe“ 100 % #1 & 2';
    const html = decodeURIComponent(
      failurePageUrl({ ...FAILURE, message })
        .split(',')
        .slice(1)
        .join(','),
    );
    expect(html).toContain('Ordner „Größe“ 100 % #1');
  });
});
