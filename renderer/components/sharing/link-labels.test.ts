import { describe, expect, test } from 'vitest';
import type { ServerInfo } from '../../../server/features/console/console.contract.ts';
import { embedSnippet, graceOf, reachesOf, reachLabel } from './link-labels.ts';

const SERVER: ServerInfo = {
  version: '0',
  url: 'http://127.0.0.1:8010',
  port: 8010,
  host: '127.0.0.1',
  listens_beyond_loopback: false,
  lan_addresses: ['192.168.1.20', 'fd00::1'],
  data_file: null,
  data_dir: null,
  ephemeral: true,
  memory_limit: 1_000_000_000,
  started_at: '2026-11-20T09:00:00Z',
};
const OPEN = { ...SERVER, host: '0.0.0.0', listens_beyond_loopback: true };

describe('where a link can be opened', () => {
  test('is only this computer while the server listens on loopback', () => {
    expect(reachesOf(SERVER, 'http://127.0.0.1:8010').map(({ origin }) => origin)).toEqual([
      'http://127.0.0.1:8010',
    ]);
    expect(reachLabel(SERVER)).toContain('127.0.0.1, so the link only works on this computer');
  });

  test('includes every network address once the server listens on the network, the current one first and once', () => {
    const origins = (here: string) => reachesOf(OPEN, here).map(({ origin }) => origin);
    expect(origins('http://127.0.0.1:8010')).toEqual([
      'http://127.0.0.1:8010',
      'http://192.168.1.20:8010',
      'http://[fd00::1]:8010',
    ]);
    expect(origins('http://192.168.1.20:8010')).toEqual([
      'http://192.168.1.20:8010',
      'http://[fd00::1]:8010',
    ]);
    expect(reachLabel(OPEN)).toContain('whole network');
  });
});

test.each([
  [null, null],
  ['2026-11-20T09:30:00Z', null],
  ['2026-11-20T09:30:20Z', 'under a minute left'],
  ['2026-11-20T09:31:00Z', '1 min left'],
  ['2026-11-20T09:34:01Z', '5 min left'],
])('of a link that expires at %s, it shows: %s', (until, words) => {
  expect(graceOf(until, Date.parse('2026-11-20T09:30:00Z'))?.words ?? null).toBe(words);
});

test('a name that would close the snippet is escaped', () => {
  expect(embedSnippet('http://a', 't', 'A "big" <b>&</b>')).toBe(
    '<iframe src="http://a/embedded/t"\n  width="100%" height="720" title="A &quot;big&quot; &lt;b&gt;&amp;&lt;/b&gt;"></iframe>',
  );
});
