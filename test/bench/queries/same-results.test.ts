import { describe, expect, test } from 'vitest';
import { demandSameResults } from './same-results.mjs';

const named = (shape: 'trend' | 'breakdown' | 'funnel' | 'retention') => ({ name: 'asked', shape });

describe('engines that are compared', () => {
  test('have the same results in their own formats', () => {
    expect(() =>
      demandSameResults(named('trend'), [
        [
          'printed',
          [
            ['1', '7'],
            ['0', '5'],
          ],
        ],
        [
          'hand',
          [
            ['2026-11-01 00:00:00', '5'],
            ['2026-11-02 00:00:00', '7'],
          ],
        ],
      ]),
    ).not.toThrow();
    expect(() =>
      demandSameResults(named('breakdown'), [
        [
          'printed',
          [
            ['pro', ['1', '0'], ['4', '3']],
            ['free', ['0'], ['9']],
          ],
        ],
        [
          'hand',
          [
            ['2026-11-01', 'pro', '3'],
            ['2026-11-02', 'pro', '4'],
            ['2026-11-01', 'free', '9'],
          ],
        ],
      ]),
    ).not.toThrow();
    expect(() =>
      demandSameResults(named('funnel'), [
        ['printed', [['10', '4', 60, 60, '1', 5, 5]]],
        ['hand', [['10', '4', '1']]],
        [
          'clickhouse',
          [
            ['1', '6'],
            ['2', '3'],
            ['3', '1'],
          ],
        ],
      ]),
    ).not.toThrow();
    expect(() =>
      demandSameResults(named('retention'), [
        [
          'printed',
          [
            ['1', ['0'], ['2']],
            ['0', ['1', '0'], ['3', '8']],
          ],
        ],
        [
          'hand',
          [
            ['2026-11-02', '2026-11-02', '8'],
            ['2026-11-02', '2026-11-09', '3'],
            ['2026-11-09', '2026-11-09', '2'],
          ],
        ],
      ]),
    ).not.toThrow();
  });

  test('are refused when the results differ, or are empty', () => {
    const answers: Parameters<typeof demandSameResults>[1] = [
      ['printed', [['0', '5']]],
      ['clickhouse', [['2026-11-01', '6']]],
    ];
    expect(() => demandSameResults(named('trend'), answers)).toThrow('clickhouse says [6], printed [5]');
    expect(() => demandSameResults(named('trend'), [['printed', []]])).toThrow('nothing was found');
  });
});
