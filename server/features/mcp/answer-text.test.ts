import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber } from '../../lib/exact-number.contract.ts';
import { answerText } from './answer-text.ts';

describe('answerText', () => {
  test('rows are CSV: texts with commas and quotes are quoted, objects are JSON, no value is empty', () => {
    const results = [['a, "b"', { plan: 'pro' }, null, new ExactNumber('12345678901234567890')]];
    expect(answerText({ columns: ['name', 'properties', 'none', 'n'], results })).toBe(
      'name,properties,none,n\n"a, ""b""","{""plan"":""pro""}",,12345678901234567890\n\n1 row.',
    );
  });

  test('rows beyond 500, and rows that the server left out, are said', () => {
    const results = Array.from({ length: 501 }, (_, at) => [at]);
    expect(answerText({ columns: ['n'], results })).toMatch(/\n499\n\n500 rows\. There are more/);
    expect(answerText({ columns: ['n'], results: [[1]], hasMore: true })).toMatch(/1 row\. There are more/);
  });

  test('a series is drawn and listed, a negative one too, and one without values is named', () => {
    const days = ['2026-11-19', '2026-11-20'];
    const series = (label: string, data: number[]) => ({ label, data, days, count: data.length });
    expect(answerText({ results: [series('up', [0, 8]), series('down', [0, -4]), series('none', [])] })).toBe(
      'up: ▁█ (0 to 8, total 2)\ndown: █▁ (-4 to 0, total 2)\nnone: no values\n\ndate,up,down,none\n2026-11-19,0,0,\n2026-11-20,8,-4,',
    );
  });

  test('totals are bars, the largest of full width', () => {
    const total = (label: string, value: number) => ({ label, data: [], aggregated_value: value });
    expect(
      answerText({ results: [total('pro', 2), total('free', 1), total('none', 0)] }).split('\n'),
    ).toEqual([`${'█'.repeat(24)} 2 pro`, `${'█'.repeat(12).padEnd(24)} 1 free`, `${' '.repeat(24)} 0 none`]);
  });

  test('a funnel with a breakdown is a chart for each of its groups', () => {
    const step = (order: number, count: number, group: string) => ({
      order,
      count,
      name: `step ${order}`,
      breakdown_value: [group],
    });
    const text = answerText({
      results: [
        [step(0, 4, 'pro'), step(1, 1, 'pro')],
        [step(0, 2, 'free'), step(1, 0, 'free')],
      ],
    });
    expect(text).toContain('["pro"]:\n████');
    expect(text).toMatch(/ 1 2\. step 1, 25 % of the first step\n\n\["free"\]:/);
  });

  test('any answer is some text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.option(fc.array(fc.string())), (results, columns) => {
        expect(answerText({ results, columns: columns ?? undefined })).not.toBe('');
      }),
    );
  });
});
