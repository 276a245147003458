import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { booleanField, integerField, textField } from './fields.contract.ts';
import { validate, validateForm } from './validation.ts';

const schema = z.object({
  name: textField(5),
  pinned: booleanField().optional(),
  count: integerField().optional(),
  level: z.literal([21, 37]).optional(),
  color: z.enum(['red', 'blue']).optional(),
  tags: z.array(z.string()).optional(),
  filters: z.record(z.string(), z.unknown()).optional(),
  steps: z.array(z.object({ event: z.string() })).optional(),
  id: z.uuid().optional(),
});

function problem(body: unknown): { code: string; attr: string | null; status: number; type: string } {
  try {
    validate(schema, body);
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, attr, type } = error.body;
      return { code, attr, type, status: error.status };
    }
    throw error;
  }
  throw new Error('accepted');
}

describe('validate', () => {
  test.each([
    [{}, 'required', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: '' }, 'blank', 'name'],
    [{ name: '   ' }, 'blank', 'name'],
    [{ name: 'too long' }, 'max_length', 'name'],
    [{ name: true }, 'invalid_input', 'name'],
    [{ name: ['a'] }, 'invalid_input', 'name'],
    [{ name: { a: 1 } }, 'invalid_input', 'name'],
    [{ name: 'a', pinned: 'maybe' }, 'invalid_input', 'pinned'],
    [{ name: 'a', pinned: 2 }, 'invalid_input', 'pinned'],
    [{ name: 'a', pinned: null }, 'null', 'pinned'],
    [{ name: 'a', count: '' }, 'invalid_input', 'count'],
    [{ name: 'a', count: 1.5 }, 'invalid_input', 'count'],
    [{ name: 'a', count: true }, 'invalid_input', 'count'],
    [{ name: 'a', level: 99 }, 'invalid_choice', 'level'],
    [{ name: 'a', color: 'green' }, 'invalid_choice', 'color'],
    [{ name: 'a', tags: 'x' }, 'not_a_list', 'tags'],
    [{ name: 'a', tags: [1] }, 'invalid_input', 'tags__0'],
    [{ name: 'a', filters: [] }, 'not_a_dict', 'filters'],
    [{ name: 'a', steps: [{ event: 1 }] }, 'invalid_input', 'steps__0__event'],
    [{ name: 'a', steps: [{}] }, 'required', 'steps__0__event'],
    [{ name: 'a', steps: ['x'] }, 'not_a_dict', 'steps__0'],
    [{ name: 'a', id: 'x' }, 'invalid_input', 'id'],
    [[], 'invalid_input', null],
    ['text', 'invalid_input', null],
    [null, 'invalid_input', null],
  ])('%j is %s at %s', (body, code, attr) => {
    expect(problem(body)).toEqual({ status: 400, type: 'validation_error', code, attr });
  });

  test('only the first problem is reported, in the order of the schema', () => {
    expect(problem({ color: 'green', pinned: 'maybe', name: 'a' }).attr).toBe('pinned');
  });

  test('unknown keys are ignored', () => {
    expect(validate(schema, { name: 'a', is_shared: true })).toEqual({ name: 'a' });
  });

  test('a number sent for a text is converted', () => {
    expect(validate(schema, { name: 7 })).toEqual({ name: '7' });
  });

  test.each([
    ...[true, 'true', 'True', 1, '1', 't', 'yes', 'on'].map((word) => [word, true]),
    ...[false, 'false', 'False', 0, '0', 'f', 'no', 'off'].map((word) => [word, false]),
  ])('%j is the boolean %j', (word, expected) => {
    expect(validate(schema, { name: 'a', pinned: word }).pinned).toBe(expected);
  });

  test.each([
    ['12', 12],
    ['-3', -3],
    [4, 4],
    [5.0, 5],
  ])('%j is the whole number %j', (value, expected) => {
    expect(validate(schema, { name: 'a', count: value }).count).toBe(expected);
  });

  test('a custom rule has its own error code', () => {
    const taken = z.object({
      email: z.string().check((context) => {
        context.issues.push({
          code: 'custom',
          message: 'There is one already.',
          params: { error: 'unique' },
          input: context.value,
        });
      }),
    });
    expect(() => validate(taken, { email: 'a' })).toThrow(
      expect.objectContaining({
        attr: 'email',
        message: 'There is one already.',
        row: expect.objectContaining({ code: 'unique' }),
      }),
    );
  });
});

test('a single form field becomes a list of one where the schema has a list, and only there', () => {
  expect(validateForm(schema, { name: 'a', tags: 'kpi', count: '3' })).toMatchObject({
    name: 'a',
    tags: ['kpi'],
    count: 3,
  });
  expect(validateForm(schema, { name: 'a', tags: ['kpi', 'eu'] }).tags).toEqual(['kpi', 'eu']);
  expect(() => validateForm(schema, { name: 'a', steps: 'x' })).toThrow(ApiError);
  expect(() => validateForm(schema, { name: 'a', filters: 'x' })).toThrow(ApiError);
  expect(() => validate(schema, { name: 'a', tags: 'kpi' })).toThrow(ApiError);
});
