import { describe, expect, test } from 'vitest';
import { errorPageHtml, errorPageUrl, startPageHtml } from './shell-pages.ts';

describe('the page shown when there is no server', () => {
  test('shows what happened, what was not lost and what to do next', () => {
    const html = errorPageHtml({ message: 'The folder is in use by process 42.', detail: '' });
    expect(html).toContain('The folder is in use by process 42.');
    expect(html).toContain('Stored data is still in the data folder.');
    expect(html).toContain('href="burrow:retry"');
    expect(html).not.toContain('<details>');
  });

  test('shows the end of the log when there is one', () => {
    expect(errorPageHtml({ message: 'It stopped.', detail: 'disk full\n' })).toContain(
      '<pre>disk full</pre>',
    );
  });

  test('text of the server cannot become markup', () => {
    const html = errorPageHtml({
      message: '<script>alert(1)</script>',
      detail: '</pre><img src=x onerror="y">',
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
  });

  test('has no script and may load nothing', () => {
    expect(errorPageHtml({ message: '', detail: '' })).toContain(
      `default-src 'none'; style-src 'unsafe-inline'`,
    );
  });

  test('any text is unchanged after a round trip through a URL', () => {
    const message = 'Ordner „Größe“ 100 % #1 & 2';
    const html = decodeURIComponent(errorPageUrl({ message, detail: '' }).split(',').slice(1).join(','));
    expect(html).toContain('Ordner „Größe“ 100 % #1');
  });
});

describe('the page shown while the server starts', () => {
  test('shows the current startup step, with no links at first', () => {
    const html = startPageHtml({ step: 'Replaying 390 MB of the write-ahead log', isSlow: false });
    expect(html).toContain('Replaying 390 MB of the write-ahead log…');
    expect(html).not.toContain('href=');
  });

  test('offers the data folder and a way to quit once it is slow', () => {
    const html = startPageHtml({ step: null, isSlow: true });
    expect(html).toContain('href="burrow:show-folder"');
    expect(html).toContain('href="burrow:quit"');
  });

  test('text of the server cannot become markup', () => {
    expect(startPageHtml({ step: '<img src=x>', isSlow: false })).not.toContain('<img');
  });
});
