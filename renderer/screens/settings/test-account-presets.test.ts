import { expect, test } from 'vitest';
import { presetsFor } from './test-account-presets.ts';

test('localhost and the project’s own domain are suggested until they are among the filters', () => {
  const [localhost, own] = presetsFor('ana@reyes-studio.example', []);
  expect(localhost!.label).toBe('Exclude localhost');
  expect(own!.filter).toMatchObject({ type: 'person', key: 'email', value: '@reyes-studio.example' });
  expect(presetsFor('ana@reyes-studio.example', [localhost!.filter, own!.filter])).toEqual([]);
});

test.each(['ana@gmail.com', 'no-address'])('the domain of %s is not suggested', (email) => {
  expect(presetsFor(email, []).map(({ label }) => label)).toEqual(['Exclude localhost']);
});

test('the localhost filter matches the host with and without a port, and no other host', () => {
  const pattern = new RegExp(String(presetsFor('', [])[0]!.filter.value));
  expect(['localhost', 'localhost:3000', '127.0.0.1:80'].every((host) => pattern.test(host))).toBe(true);
  expect(['localhost.example', 'app.example', '127.0.0.10'].some((host) => pattern.test(host))).toBe(false);
});
