import { expect, test } from 'vitest';
import { isRandomId, subtitleOf, titleOf } from './person-labels.ts';

const aPerson = (properties: Record<string, unknown>, name = 'u_1', distinct_ids = ['u_1', 'anon']) => ({
  name,
  distinct_ids,
  properties,
});

test('a person is shown by name, with the email address beside it', () => {
  const ana = aPerson({ name: 'Ana Reyes', email: 'ana@reyes.example' }, 'ana@reyes.example');
  expect([titleOf(ana), subtitleOf(ana)]).toEqual(['Ana Reyes', 'ana@reyes.example']);
});

test('a person without a name is shown by the server’s label, with a distinct id beside it', () => {
  const ana = aPerson({ email: 'ana@reyes.example' }, 'ana@reyes.example');
  expect([titleOf(ana), subtitleOf(ana)]).toEqual(['ana@reyes.example', 'u_1']);
});

test('a person without any name is shown by a distinct id, not by a number', () => {
  expect(titleOf(aPerson({}, '7', ['0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7']))).toBe(
    '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
  );
  expect(titleOf(aPerson({}, '7', []))).toBe('7');
  expect(titleOf(aPerson({}, '7', ['anon', '7']))).toBe('7');
});

test('the subtitle does not repeat the title', () => {
  const nameless = aPerson({ name: ' ' }, 'u_1', ['u_1']);
  expect([titleOf(nameless), subtitleOf(nameless)]).toEqual(['u_1', '']);
});

test('an SDK-generated id is distinguished from a custom one', () => {
  expect(['0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7', 'u_1', 'ana@b.c'].map(isRandomId)).toEqual([
    true,
    false,
    false,
  ]);
});
