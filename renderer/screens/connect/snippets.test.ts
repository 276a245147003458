import fc from 'fast-check';
import type { ConfigDefaults } from 'posthog-js';
import { describe, expect, test } from 'vitest';
import { highlightLine } from '../../ui/code-tokens.ts';
import { hostLines, replaceLoopback, snippets, type Snippet } from './snippets.ts';

const HOST = 'http://127.0.0.1:2877';
const TOKEN = 'phc_aTokenOfThisProject';
const all = snippets(HOST, TOKEN).flatMap((group) => group.snippets);
const named = (id: string): Snippet => all.find((snippet) => snippet.id === id)!;

describe('snippets', () => {
  test('there is one snippet for each platform', () => {
    expect(snippets(HOST, TOKEN).map(({ label }) => label)).toEqual(
      'Browser React Vue Next Node Python Go iOS Android curl .env Container'.split(' '),
    );
  });

  test.each(all.map((snippet) => [snippet.id, snippet] as const))(
    '%s names this token, and marks its host lines',
    (_, snippet) => {
      expect(snippet.code).toContain(TOKEN);
      expect(hostLines(snippet.code).size).toBeGreaterThan(0);
      for (const line of hostLines(snippet.code)) expect(snippet.code.split('\n')[line]).toMatch(/:2877\b/);
    },
  );

  test.each(['android', 'container'])('%s does not call its own loopback address', (id) => {
    expect(named(id).code).not.toContain('127.0.0.1');
  });

  test('no snippet sends to another host', () => {
    const hosts = all.flatMap(({ code }) => code.match(/https?:\/\/[^/'"\s]+/g) ?? []);
    expect(new Set(hosts)).toEqual(
      new Set([HOST, 'http://10.0.2.2:2877', 'http://host.docker.internal:2877']),
    );
  });

  test('the defaults date is supported by the installed posthog-js', () => {
    const day = /defaults: '([^']+)'/.exec(named('browser-npm').code)?.[1];
    const known: ConfigDefaults = '2026-01-30';
    expect(day).toBe(known);
  });

  test('the body of the curl snippet is a valid capture body', () => {
    const body = /-d '(.+)'$/s.exec(named('curl').code)?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ api_key: TOKEN, event: 'invoice sent', distinct_id: 'user-42' });
  });

  test('only a loopback address is replaced', () => {
    expect(replaceLoopback('http://localhost:2877', '10.0.2.2')).toBe('http://10.0.2.2:2877');
    expect(replaceLoopback('http://[::1]:2877', '10.0.2.2')).toBe('http://10.0.2.2:2877');
    expect(replaceLoopback('http://192.168.1.7:2877', '10.0.2.2')).toBe('http://192.168.1.7:2877');
  });
});

describe('syntax highlighting', () => {
  test('every line of every snippet keeps its text', () => {
    for (const { code, language } of all) {
      const lines = code.split('\n').map((line) =>
        highlightLine(line, language)
          .map(({ text }) => text)
          .join(''),
      );
      expect(lines.join('\n')).toBe(code);
    }
  });

  test('any line keeps its text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...all.map(({ language }) => language)), (line, language) => {
        expect(
          highlightLine(line, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line);
      }),
    );
  });

  test('keywords, calls, strings and numbers have different colors', () => {
    const kinds = highlightLine(`import posthog from 'posthog-js'`, 'js').map(({ kind }) => kind);
    expect(kinds).toEqual(['keyword', 'plain', 'keyword', 'plain', 'string']);
    expect(highlightLine('posthog.init(480)', 'js').map(({ kind }) => kind)).toEqual([
      'plain',
      'function',
      'plain',
      'number',
      'plain',
    ]);
    expect(highlightLine('# Vite', 'env')).toEqual([{ kind: 'comment', text: '# Vite' }]);
  });
});
