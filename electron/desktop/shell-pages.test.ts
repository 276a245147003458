import { describe, expect, test } from 'vitest';
import { startPageHtml, type Starting } from './shell-pages.ts';

const START: Starting = { step: null, done: [], dataDir: null, isSlow: false };

describe('the page shown while the server starts', () => {
  test('shows the current startup step, with no links at first', () => {
    const html = startPageHtml({ ...START, step: 'Replaying 390 MB of the write-ahead log' });
    expect(html).toContain('Replaying 390 MB of the write-ahead log…');
    expect(html).toContain('Nothing is lost; this happens once.');
    expect(html).not.toContain('href=');
  });

  test('shows the data folder, and the steps that are done', () => {
    const html = startPageHtml({
      ...START,
      step: 'Migrating the database',
      done: ['Opening 1.8 GB'],
      dataDir: '/data',
    });
    expect(html).toContain('<code>/data</code>');
    expect(html.indexOf('✓ Opening 1.8 GB')).toBeLessThan(html.indexOf('Migrating the database…'));
    expect(html).not.toContain('Nothing is lost');
  });

  test('offers the data folder and a way to quit once it is slow', () => {
    const html = startPageHtml({ ...START, isSlow: true });
    expect(html).toContain('href="burrow:show-folder"');
    expect(html).toContain('href="burrow:quit"');
  });

  test('text of the server cannot become markup', () => {
    expect(
      startPageHtml({ step: '<img src=a>', done: ['<img src=b>'], dataDir: '/<img>', isSlow: false }),
    ).not.toContain('<img');
  });
});
