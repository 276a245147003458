import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VNode } from 'vue';
import { markdownNodes } from './markdown-nodes.ts';

interface Element {
  tag: string;
  props: Record<string, unknown>;
}

/** Elements as text, such as `p(a strong(b))`, and every element met on the way. */
function describeNodes(text: string): { outline: string; elements: Element[] } {
  const elements: Element[] = [];
  const visit = (node: unknown): string => {
    if (typeof node === 'string') return node;
    if (Array.isArray(node)) return node.map(visit).join(' ');
    const { type, props, children } = node as VNode;
    elements.push({ tag: String(type), props: props ?? {} });
    return `${String(type)}(${visit(children ?? [])})`;
  };
  return { outline: markdownNodes(text).map(visit).join(' '), elements };
}

test.each([
  ['Hello', 'p(Hello)'],
  ['**bold** and _soft_ and ~~gone~~', 'p(strong(bold)  and  em(soft)  and  del(gone))'],
  ['# One\n\n## Two\n\n###### Six', 'h2(One) h3(Two) h4(Six)'],
  ['## One\n\n#### Two', 'h2(One) h3(Two)'],
  ['- a\n- b', 'ul(li(a) li(b))'],
  ['3. a\n4. b', 'ol(li(a) li(b))'],
  ['> said', 'blockquote(p(said))'],
  ['`x < 1`', 'p(code(x < 1))'],
  ['```\na & b\n```', 'pre(code(a & b))'],
  ['a  \nb', 'p(a br() b)'],
  ['---', 'hr()'],
  ['1 < 2 &amp; \\*', 'p(1 < 2 &  *)'],
  ['| a |\n|---|\n| b |', 'table(thead(tr(th(a))) tbody(tr(td(b))))'],
  ['', ''],
])('%j becomes %s', (text, outline) => {
  expect(describeNodes(text).outline).toBe(outline);
});

test('an ordered list starts at its number', () => {
  expect(describeNodes('3. a\n4. b').elements[0]).toEqual({ tag: 'ol', props: { start: 3 } });
});

describe('harmful input', () => {
  test.each([
    ['<script>alert(1)</script>', 'p(<script>alert(1)</script>)'],
    ['a <img src=x onerror=alert(1)> b', 'p(a  <img src=x onerror=alert(1)>  b)'],
    ['![a cat](https://evil.test/cat.png)', 'p(a cat)'],
    ['[x](javascript:alert(1))', 'p(x)'],
    ['[x](JaVaScRiPt:alert(1))', 'p(x)'],
    ['[x](data:text/html,x)', 'p(x)'],
    ['[x](/api/)', 'p(x)'],
  ])('%s is only text', (text, outline) => {
    expect(describeNodes(text).outline).toBe(outline);
  });

  test('links open without a referrer', () => {
    const { elements } = describeNodes('[x](https://burrow.test/a) https://burrow.test a@burrow.test');
    expect(elements.filter(({ tag }) => tag === 'a').map(({ props }) => props)).toEqual(
      ['https://burrow.test/a', 'https://burrow.test', 'mailto:a@burrow.test'].map((href) => ({
        href,
        target: '_blank',
        rel: 'noopener noreferrer nofollow',
      })),
    );
  });

  test('no text becomes another element, or a link with another scheme', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '[',
        '](',
        ')',
        '**',
        '\n',
        '\n\n',
        '- ',
        '> ',
        '`',
        '|',
        'javascript:',
        '![',
        '&#106;',
      ),
    );
    const allowed = new Set(
      'p h2 h3 h4 ul ol li blockquote pre code strong em del br hr a table thead tbody tr th td'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { tag, props } of describeNodes(pieces.join('')).elements) {
          expect(allowed).toContain(tag);
          if (tag === 'a') expect(props['href']).toMatch(/^(https?:\/\/|mailto:)/i);
          else if (tag !== 'ol') expect(props).toEqual({});
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a text nested extremely deeply is still shown', () => {
    const text = '>'.repeat(4_000);
    expect(describeNodes(text).elements.length).toBeGreaterThan(0);
  });
});
