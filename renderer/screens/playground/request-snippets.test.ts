import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FLAG_ENDPOINTS, type FlagContext } from '../../api/flag-explanations.api.ts';
import {
  goValue,
  jsText,
  jsValue,
  pythonValue,
  shellText,
  requestSnippets,
  type SnippetRequest,
} from './request-snippets.ts';
import { EMPTY_CONTEXT } from './context-text.ts';

const ana: FlagContext = {
  ...EMPTY_CONTEXT,
  distinctId: "o'neil",
  personProperties: { plan: 'studio', beta: true },
  groups: { company: 'w_1' },
  groupProperties: { company: { seats: 4 } },
  ip: '203.0.113.24',
};
const request: SnippetRequest = {
  host: 'http://127.0.0.1:2877',
  token: 'phc_aToken',
  context: ana,
  endpoint: FLAG_ENDPOINTS[0],
  flagKey: 'reminder-tone',
};
const codeOf = (id: string, change: Partial<SnippetRequest> = {}) =>
  requestSnippets({ ...request, ...change }).find((snippet) => snippet.id === id)!.code;

/** The words of a command as a shell reads them: quoted pieces as they are, an escaped quote between them. */
function wordsOfShell(command: string): string[] {
  const words = command.match(/(?:'[^']*'|\\'|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|\\(')/g, '$1$2'));
}

describe('the request as code', () => {
  test('curl sends the request of the playground, with its URL', () => {
    const words = wordsOfShell(codeOf('curl'));
    expect(words.slice(0, 2)).toEqual(['curl', 'http://127.0.0.1:2877/flags/?v=2']);
    expect(words).toContain('X-Forwarded-For: 203.0.113.24');
    expect(JSON.parse(words.at(-1)!)).toEqual({
      api_key: 'phc_aToken',
      distinct_id: "o'neil",
      groups: { company: 'w_1' },
      person_properties: { plan: 'studio', beta: true },
      group_properties: { company: { seats: 4 } },
    });
  });

  test('curl calls the chosen endpoint and leaves out empty parts of the context', () => {
    const bare = { ...EMPTY_CONTEXT, distinctId: 'u_1' };
    const code = codeOf('curl', { endpoint: FLAG_ENDPOINTS[3], context: bare });
    expect(code).toContain('/decide/?v=3');
    expect(code).not.toMatch(/X-Forwarded-For|person_properties|groups/);
  });

  test.each(['js', 'node', 'python', 'go'])('%s has host, token, person, groups and every property', (id) => {
    const code = codeOf(id);
    for (const part of [
      'phc_aToken',
      'http://127.0.0.1:2877',
      'reminder-tone',
      'neil',
      'studio',
      'w_1',
      'seats',
    ])
      expect(code).toContain(part);
  });

  test('server SDKs have GeoIP turned on', () => {
    expect(codeOf('node')).toContain('disableGeoip: false');
    expect(codeOf('python')).toContain('disable_geoip=False');
  });
});

describe('values as code', () => {
  test('any text and any value is read back by JavaScript', () => {
    const read = (code: string): unknown => new Function(`return (${code})`)();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        expect(read(jsText(text))).toBe(text);
        expect(JSON.stringify(read(jsValue(value, 4)))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('the shell reads any text as one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', ' ', '\n', 'a') }), (text) => {
        expect(wordsOfShell(shellText(text))).toEqual([text]);
      }),
    );
  });

  test('Python and Go have their own literals for null, booleans and lists', () => {
    const value = { a: [true, null, 1.5], b: { c: "it's" } };
    expect(pythonValue(value)).toBe(String.raw`{'a': [True, None, 1.5], 'b': {'c': 'it\'s'}}`);
    expect(goValue(value)).toBe(
      `map[string]any{"a": []any{true, nil, 1.5}, "b": map[string]any{"c": "it's"}}`,
    );
  });
});
