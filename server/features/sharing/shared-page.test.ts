import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { publicJsonOf } from './public-json.ts';
import { pageFlags, scriptJson, sharedHeaders, sharedPageHtml } from './shared-page.ts';

const TEMPLATE = `<!doctype html><html><head><title>Burrow</title></head><body><div id="app"></div>
<script type="application/json" id="shared">{}</script></body></html>`;

/** What a browser's parser would take for the data: everything up to the first end of a script. */
function dataIn(html: string): string {
  const start = html.indexOf('id="shared">') + 'id="shared">'.length;
  return html.slice(start, html.indexOf('</script', start));
}

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom('</script>', '<!--', '<script>', '</title>', '$&', '$1', "$'", '\u2028', '\u2029', ']]>'),
);

test('for any texts, the data ends at its script end and is read back unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), hostile, hostile, (value, title, text) => {
      const data = { value, text };
      for (const template of [TEMPLATE, null]) {
        const html = sharedPageHtml(template, title, data);
        expect(JSON.parse(dataIn(html))).toEqual(JSON.parse(JSON.stringify(data)));
        expect(dataIn(html)).not.toMatch(/[<>&\u2028\u2029]/);
        expect(html.match(/<script/gi)).toHaveLength(1);
        expect(html.match(/<\/title/gi)).toHaveLength(1);
      }
    }),
  );
});

test('the page is unchanged around title and data', () => {
  const html = sharedPageHtml(TEMPLATE, 'A & B', { name: '<b>' });
  expect(html).toBe(
    TEMPLATE.replace('<title>Burrow', '<title>A &amp; B').replace('{}', scriptJson({ name: '<b>' })),
  );
});

test('users are removed, and email addresses in queries are hidden', () => {
  const answer = {
    name: 'Ask lin@local.test',
    created_by: { id: 1, email: 'ada@local.test' },
    tiles: [
      {
        text: { body: 'Write to us: team@local.test', created_by: { id: 2 }, last_modified_by: { id: 2 } },
        insight: {
          created_by: { id: 1 },
          query: {
            source: { properties: [{ key: 'email', value: ['max@local.test', 'a'] }], 'zoe@local.test': 1 },
          },
          filters: { properties: { created_by: 'ada@local.test' } },
        },
      },
    ],
  };
  const shown = publicJsonOf(answer);
  expect(shown).toEqual({
    name: 'Ask lin@local.test',
    created_by: null,
    tiles: [
      {
        text: { body: 'Write to us: team@local.test', created_by: null, last_modified_by: null },
        insight: {
          created_by: null,
          query: { source: { properties: [{ key: 'email', value: ['[hidden]', 'a'] }], '[hidden]': 1 } },
          filters: { properties: { created_by: '[hidden]' } },
        },
      },
    ],
  });
});

describe('email addresses in a result', () => {
  test('are hidden at every place, and numbered', () => {
    const line = (email: string) => ({ label: `looked - ${email}`, breakdown_value: [email], data: [2] });
    const insight = {
      name: 'Of lin@local.test',
      derived_name: 'looked by lin@local.test',
      result: [line('lin@local.test'), line('max@local.test'), { 'zoe@local.test': 1 }],
      columns: ['lin@local.test'],
      types: [['lin@local.test', 'String']],
    };
    const shown = (hidden: string) => ({
      label: `looked - ${hidden}`,
      breakdown_value: [hidden],
      data: [2],
    });
    expect(publicJsonOf({ tiles: [{ insight }] })).toEqual({
      tiles: [
        {
          insight: {
            name: 'Of lin@local.test',
            derived_name: 'looked by [hidden]',
            result: [shown('[hidden 1]'), shown('[hidden 2]'), { '[hidden 3]': 1 }],
            columns: ['[hidden 1]'],
            types: [['[hidden 1]', 'String']],
          },
        },
      ],
    });
  });

  test('are hidden in page URLs too, encoded or not', () => {
    const result = [
      ['https://shop.test/?email=lin%40local.test&x=1', 'mailto:lin@local.test', 'a @ b', 7, null],
    ];
    expect(publicJsonOf({ result })).toEqual({
      result: [['https://shop.test/?email=[hidden 1]&x=1', 'mailto:[hidden 1]', 'a @ b', 7, null]],
    });
  });

  test('are hidden in any text around them', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.string(), fc.string(), (email, before, after) => {
        const { result } = publicJsonOf({ result: [`${before} ${email} ${after}`] });
        expect(result[0]).not.toContain(email);
      }),
    );
  });
});

describe('flags of the page', () => {
  test.each([
    ['', {}, {}],
    ['whitelabel', {}, { whitelabel: true }],
    ['whitelabel=false&legend=1&theme=dark', {}, { legend: true, theme: 'dark' }],
    ['legend=0', { legend: true, noHeader: true, detailed: false }, { noHeader: true }],
    ['other=1&theme=', { theme: 'light' }, {}],
  ])('%j over %j are %j', (search, settings, expected) => {
    expect(pageFlags(settings, new URLSearchParams(search))).toEqual(expected);
  });
});

test('a shared page cannot be framed, an embedded one can; neither loads from other hosts', () => {
  for (const isEmbedded of [false, true]) {
    const policy = sharedHeaders(isEmbedded)['Content-Security-Policy']!;
    expect(policy).toContain(isEmbedded ? 'frame-ancestors *' : "frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|connect-src/);
  }
});
