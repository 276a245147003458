import { describe, expect, test } from 'vitest';
import { findCommands } from './find-commands.ts';
import { synonymsOf } from './synonyms.ts';

const places = [
  ['go-persons', 'Persons'],
  ['deleted-flags', 'Deleted flags'],
  ['settings-test-accounts', 'Test users'],
  ['settings-keys', 'API keys'],
  ['settings-storage', 'Storage'],
  ['settings-app', 'App'],
  ['settings-appearance', 'Appearance'],
  ['go-sql', 'SQL'],
  ['go-cohorts', 'Cohorts'],
  ['theme-dark', 'Dark theme'],
  ['settings-members', 'Members'],
  ['sign-out', 'Sign out'],
].map(([id, label]) => ({ id, label: label!, group: 'Go to', also: synonymsOf(id!) }));

const found = (query: string) => findCommands(places, query).flatMap((group) => group.found);
const labels = (query: string) => found(query).map(({ command }) => command.label);

describe('a command is found by another word for it', () => {
  test.each([
    ['users', 'Persons'],
    ['people', 'Persons'],
    ['delete', 'Deleted flags'],
    ['trash', 'Deleted flags'],
    ['dark', 'Dark theme'],
    ['theme', 'Appearance'],
    ['token', 'API keys'],
    ['api key', 'API keys'],
    ['backup', 'Storage'],
    ['restore', 'Storage'],
    ['recover', 'Deleted flags'],
    ['port', 'App'],
    ['csv', 'SQL'],
    ['export', 'SQL'],
    ['segments', 'Cohorts'],
    ['invite', 'Members'],
    ['logout', 'Sign out'],
  ])('“%s” finds %s first', (query, label) => {
    expect(labels(query)[0]).toBe(label);
  });
});

test('the synonyms that match are given to show, and none where the label matches better', () => {
  expect(found('users')[0]?.also).toEqual(['users']);
  expect(found('api key')[0]?.also).toBeUndefined();
  expect(found('dark theme')[0]?.also).toBeUndefined();
});

test('a label that is the query is before synonyms, and a whole synonym before a longer label', () => {
  const commands = [
    { group: 'Go to', label: 'Test users' },
    { group: 'Go to', label: 'Persons', also: ['users'] },
    { group: 'Go to', label: 'Users' },
  ];
  const [group] = findCommands(commands, 'users');
  expect(group?.found.map(({ command }) => command.label)).toEqual(['Users', 'Persons', 'Test users']);
});

test('a synonym matches from the start of its words only: port is not found in export', () => {
  expect(labels('port')).toEqual(['App']);
});

test('scattered letters count only while nothing else matches', () => {
  const commands = [
    { group: 'Go to', label: 'Playground' },
    { group: 'Go to', label: 'Paths in the yard' },
    { group: 'Go to', label: 'Pay' },
  ];
  expect(findCommands(commands, 'pay')[0]?.found.map(({ command }) => command.label)).toEqual(['Pay']);
  expect(findCommands(commands, 'pgd')[0]?.found.map(({ command }) => command.label)).toEqual(['Playground']);
});
