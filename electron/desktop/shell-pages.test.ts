import { describe, expect, test } from 'vitest';
import { startPageHtml } from './shell-pages.ts';

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
