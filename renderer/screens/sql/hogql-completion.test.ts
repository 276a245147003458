import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { hogqlName } from '../../ui/hogql-name.ts';
import { completeHogql, type Names } from './hogql-completion.ts';

const field = (name: string, table?: string) => ({
  name,
  hogql_value: name,
  type: table ? ('lazy_table' as const) : ('string' as const),
  schema_valid: true,
  ...(table ? { table } : {}),
});
const table = (name: string, ...fields: ReturnType<typeof field>[]) => ({
  id: name,
  name,
  type: 'posthog' as const,
  fields: Object.fromEntries(fields.map((one) => [one.name, one])),
});
const names: Names = {
  schema: {
    tables: {
      events: table('events', field('event'), field('person', 'persons')),
      persons: table('persons', field('created_at')),
    },
    functions: [
      { name: 'uniq', kind: 'aggregate', signature: 'uniq(x, …)', help: 'Number of different values.' },
    ],
  },
  properties: {
    event: [{ name: '$feature/tone', type: 'String', description: 'Which tone', share: null }],
    person: [{ name: 'email', type: 'String', description: '', share: null }],
  },
  events: [{ name: 'invoice paid', count: 24 }],
};

/** The completions at the position of |. */
function offered(text: string, isExplicit = false) {
  const pos = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', '') });
  return completeHogql(new CompletionContext(state, pos, isExplicit), names);
}
const labels = (text: string) => offered(text)?.options.map(({ label }) => label) ?? null;

test('at the start of a word everything is offered, functions with a help line', () => {
  const { options, from } = offered('SELECT un|')!;
  expect(from).toBe(7);
  expect(options.find(({ label }) => label === 'uniq')).toMatchObject({
    apply: 'uniq(',
    info: 'uniq(x, …): Number of different values.',
  });
  const all = options.map(({ label }) => label);
  expect(all).toEqual(expect.arrayContaining(['SELECT', 'events', 'event', 'properties.$feature/tone']));
});

test('after a dot, the members are offered: properties by their owner, columns of a lazy table', () => {
  expect(offered('SELECT properties.|')!.options).toEqual([
    {
      label: '$feature/tone',
      apply: '`$feature/tone`',
      type: 'property',
      detail: 'String',
      info: 'Which tone',
    },
  ]);
  expect(labels('SELECT person.properties.|')).toEqual(['email']);
  expect(labels('SELECT e.person.|')).toEqual(['created_at']);
  expect(labels('SELECT e.|')).toEqual(['event', 'person']);
});

test('event names are offered in the text that an event is compared with', () => {
  expect(labels("WHERE event = 'inv|")).toEqual(['invoice paid']);
  expect(labels("WHERE event IN ('signup', 'inv|")).toEqual(['invoice paid']);
});

test('no options are offered in a text, in a comment, or before a word starts', () => {
  expect(labels("WHERE properties.tone = 'un|")).toBeNull();
  expect(labels('SELECT 1 -- un|')).toBeNull();
  expect(labels('SELECT |')).toBeNull();
  expect(offered('SELECT |', true)).not.toBeNull();
});

test('a name that is not a plain identifier is written in backticks', () => {
  expect(['plan', '$ip', '$feature/tone', 'a`b', '1st'].map(hogqlName)).toEqual([
    'plan',
    '$ip',
    '`$feature/tone`',
    '`a\\`b`',
    '`1st`',
  ]);
});
