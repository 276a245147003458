import { expect, test } from 'vitest';
import { personName } from './person-name.ts';

const UUID = '0190f0c1-2222-7000-8000-0000000000aa';
const COOKIE = '16ff262c4301e5-0aa346c03894bc-39667c0e-1aeaa0-16ff262c431767';

test.each([
  [{ email: 'a@b.c', name: 'Ada' }, ['u1'], 'a@b.c'],
  [{ Email: 'B@b.c', $email: 'c@b.c', email: '' }, ['u1'], 'B@b.c'],
  [{ $email: 'c@b.c', name: 'Ada' }, ['u1'], 'c@b.c'],
  [{ name: ' Ada ' }, ['u1'], 'Ada'],
  [{ Name: 'Ada', username: 'ada' }, ['u1'], 'Ada'],
  [{ username: 'ada', Username: 'Ada2' }, ['u1'], 'ada'],
  [{ UserName: 'Ada' }, ['u1'], 'Ada'],
  [{ name: 42 }, ['u1'], '42'],
  [{ email: null, name: '  ', username: {}, Username: true }, ['u1'], 'u1'],
  [{ EMAIL: 'x' }, ['u1'], 'u1'],
  [{}, [UUID, COOKIE, 'u1', 'u2'], 'u1'],
  [{}, [UUID, COOKIE], '7'],
  [{}, [], '7'],
  [{}, ['a-b-c'], 'a-b-c'],
])('M9.3 name: %j with %j is %j', (properties, distinctIds, name) => {
  expect(personName(7, properties, distinctIds)).toBe(name);
});
