import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTarget } from './links.ts';

const ORIGIN = 'http://127.0.0.1:2877';

describe('a link', () => {
  test.each([
    ['burrow://connect', '/link/connect'],
    ['burrow://connect/', '/link/connect'],
    ['burrow://dashboard/7', '/link/dashboard/7'],
    ['burrow://dashboard/7?a=1&b=2', '/link/dashboard/7'],
    ['burrow://insight/Ab3_x-9', '/link/insight/Ab3_x-9'],
    ['burrow://shared/aBc-123', '/link/shared/aBc-123'],
    ['burrow://person/ann%40example.com', '/link/person/ann%40example.com'],
    ['burrow://person/a%2Fb%3Fc', '/link/person/a%2Fb%3Fc'],
    ['burrow://project/2/dashboard/7', '/link/dashboard/7?project=2'],
    ['burrow://project/2/live', '/link/live?project=2'],
  ])('%s leads to %s', (link, path) => {
    expect(parseTarget(link, '/')).toEqual({ kind: 'page', path });
  });

  test.each([
    'burrow://',
    'burrow:dashboard/7',
    'burrow://nothing',
    'burrow://dashboard',
    'burrow://dashboard/seven',
    'burrow://dashboard/7/8',
    'burrow://connect:80',
    'burrow://ann@dashboard/7',
    'burrow://dashboard/%',
    'burrow://person/..',
    'burrow://person/%2e%2e',
    'burrow://shared/../../api',
    'burrow://project/x/live',
    'burrow://constructor',
    'burrow://evil.example/dashboard/7',
    'https://evil.example/burrow://connect',
    'javascript:alert(1)',
    `burrow://person/${'a'.repeat(3_000)}`,
  ])('%s is refused with a sentence', (link) => {
    expect(parseTarget(link, '/')).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/^(The link|Burrow) .+\.$/),
    });
  });

  test('whatever is written in it, it stays on the console and below /link/', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'dashboard',
        'person',
        'shared',
        'project',
        'connect',
        '..',
        '//',
        '\\',
        '%2f',
        '%5c',
        '@',
        ':',
        '#',
        '?',
        '7',
      ),
      fc.string(),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom('burrow://', 'BURROW://', 'burrow:', ''),
        (parts, start) => {
          for (const link of [start + parts.join('/'), start + parts.join('')]) {
            const target = parseTarget(link, '/srv/ann');
            if (target.kind !== 'page') continue;
            const url = new URL(target.path, ORIGIN);
            expect(url.origin).toBe(ORIGIN);
            expect(url.pathname).toMatch(/^\/link\/[a-z]+(\/[^/]+)?$/);
          }
        },
      ),
    );
  });
});

describe('a file', () => {
  test.each([
    ['week.burrow', '/srv/ann/week.burrow'],
    ['/tmp/Grüße an alle.burrow', '/tmp/Grüße an alle.burrow'],
    ['file:///tmp/Gr%C3%BC%C3%9Fe.burrow', '/tmp/Grüße.burrow'],
    ['backups/burrow-20261127-031500.duckdb', '/srv/ann/backups/burrow-20261127-031500.duckdb'],
  ])('%s is a backup', (text, file) => {
    expect(parseTarget(text, '/srv/ann')).toEqual({ kind: 'backup', file });
  });

  test('shop.flags.json is a file of flags', () => {
    expect(parseTarget('shop.flags.json', '/srv/ann')).toEqual({
      kind: 'flags',
      file: '/srv/ann/shop.flags.json',
    });
  });

  test.each(['/etc/passwd', 'picture.png', 'file://elsewhere/share/week.burrow'])('%s is refused', (text) => {
    expect(parseTarget(text, '/').kind).toBe('refused');
  });
});
