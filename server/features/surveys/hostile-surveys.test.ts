import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { postSurvey, shownSurveys, SURVEYS } from '../../../test/support/app-surveys.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

const OPEN = { type: 'open', question: 'Why?' };
const BODY = { name: 'A', type: 'popover', questions: [OPEN], start_date: '2026-01-01' };

/** JSON text, so that a key of it may be `__proto__`. */
const odd = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('"\\ud800"', '{"__proto__":{"a":1}}', '1e400', '-0', '"\\u0000"', '[[[[]]]]', '{"":""}'),
);
const FIELDS = [
  'name',
  'description',
  'type',
  'schedule',
  'questions',
  'appearance',
  'conditions',
  'translations',
  'start_date',
  'end_date',
  'archived',
  'responses_limit',
  'iteration_count',
  'iteration_frequency_days',
  'linked_flag_id',
  'targeting_flag_filters',
  'remove_targeting_flag',
];

describe('a survey with arbitrary fields', () => {
  test(
    'is created, or refused with the name of a field, and the public list stays valid',
    { timeout: 120_000 },
    async () => {
      const app = await openTestApp();
      const { id } = (await postSurvey(app, BODY)).json;
      const property = fc.asyncProperty(fc.constantFrom(...FIELDS), odd, async (field, value) => {
        const body = `{"${field}":${value}}`;
        const answer = await app.ask(`${SURVEYS}${id}/`, {
          method: 'PATCH',
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expect([200, 400], `${body}: ${answer.text}`).toContain(answer.status);
        if (answer.status === 400) expect(answer.json.code).not.toBe('parse_error');
      });
      await fc.assert(property, { numRuns: 150 });
      await shownSurveys(app);
    },
  );

  test.each([
    ['lone surrogates', { ...BODY, name: 'a\ud800', questions: [{ ...OPEN, question: '\udfff?' }] }],
    ['control characters', { ...BODY, name: 'a\u0001\u2028', questions: [{ ...OPEN, question: '\u0000' }] }],
    ['words that objects know', { ...BODY, questions: [{ ...OPEN, constructor: 1, toString: {} }] }],
    [
      'an early start',
      { ...BODY, start_date: '0001-01-01T00:00:00Z', iteration_count: 500, iteration_frequency_days: 3650 },
    ],
    [
      'a late start',
      { ...BODY, start_date: '9999-12-31T23:59:59Z', iteration_count: 500, iteration_frequency_days: 3650 },
    ],
  ])('may have %s', async (_what, body) => {
    const app = await openTestApp();
    const answer = await postSurvey(app, body);
    expect(answer.status, answer.text).toBe(201);
    expect((await app.ask(`${SURVEYS}${answer.json.id}/`)).json).toEqual(answer.json);
    await shownSurveys(app);
  });

  test('that would slow down every page is refused', async () => {
    const app = await openTestApp();
    const long = await postSurvey(app, {
      ...BODY,
      questions: [{ ...OPEN, question: 'x'.repeat(1_048_576) }],
    });
    expect([long.status, long.json.code, long.json.attr]).toEqual([400, 'max_length', 'questions']);
    const choices = Array.from({ length: 1_000_000 }, () => 'a');
    const many = await postSurvey(app, {
      ...BODY,
      questions: [{ type: 'single_choice', question: 'Which?', choices }],
    });
    expect([many.status, many.json.code]).toEqual([400, 'max_length']);
    const questions = Array.from({ length: 300_000 }, () => OPEN);
    expect((await postSurvey(app, { ...BODY, questions })).json).toMatchObject({
      code: 'invalid_input',
      attr: 'questions',
    });
  });

  test('with deep nesting is created or refused', async () => {
    const app = await openTestApp();
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    for (const levels of [10, 900, 2000]) {
      const answer = await postSurvey(app, {
        ...BODY,
        name: `n${levels}`,
        conditions: { deep: deep(levels) },
      });
      expect([levels, answer.status]).toEqual([levels, levels < 1000 ? 201 : 400]);
    }
    expect(await shownSurveys(app)).toHaveLength(2);
  });
});
