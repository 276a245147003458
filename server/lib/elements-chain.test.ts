import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatElementsChain, parseElementsChain } from './elements-chain.ts';

/** What posthog-js 1.449 recorded: a button in the body. */
const RECORDED =
  'button:attr__data-attr="x"attr__id="b"attr_id="b"nth-child="2"nth-of-type="1"text="Click me";body:nth-child="2"nth-of-type="1"';

describe('formatElementsChain writes the text that SDKs send themselves', () => {
  test('a button in the body', () => {
    const elements = [
      {
        tag_name: 'button',
        $el_text: 'Click me',
        attr__id: 'b',
        'attr__data-attr': 'x',
        nth_child: 2,
        nth_of_type: 1,
      },
      { tag_name: 'body', nth_child: 2, nth_of_type: 1 },
    ];
    expect(formatElementsChain(elements)).toBe(RECORDED);
  });
  test('the shape of posthog-js-lite: no places among the siblings', () => {
    expect(formatElementsChain([{ tag_name: 'button', $el_text: 'x' }])).toBe(
      'button:nth-child="0"nth-of-type="0"text="x"',
    );
  });
  test('classes are sorted, quotes escaped', () => {
    expect(formatElementsChain([{ tag_name: 'a', attr__class: 'wide  blue', attr__href: '/?q="x"' }])).toBe(
      'a.blue.wide:attr__class="wide  blue"attr__href="/?q=\\"x\\""href="/?q=\\"x\\""nth-child="0"nth-of-type="0"',
    );
  });
  test('text is cut to 400 characters and a link to 2048, never inside a character', () => {
    const [element] = parseElementsChain(
      formatElementsChain([
        { tag_name: 'a', $el_text: 'x'.repeat(399) + '🦔', attr__href: 'h'.repeat(3000) },
      ]),
    );
    expect(element!.text).toBe('x'.repeat(399));
    expect(element!.href).toHaveLength(2048);
  });
  test('no elements are an empty chain, and invalid elements are skipped', () => {
    expect(formatElementsChain([])).toBe('');
    expect(formatElementsChain([null, 'a', 1, ['x']])).toBe('');
  });
});

describe('parseElementsChain', () => {
  test('reads the chain of an SDK', () => {
    expect(parseElementsChain(RECORDED)).toEqual([
      {
        event: null,
        text: 'Click me',
        tag_name: 'button',
        attr_class: null,
        href: null,
        attr_id: 'b',
        nth_child: 2,
        nth_of_type: 1,
        attributes: { 'attr__data-attr': 'x', attr__id: 'b' },
        order: 0,
      },
      {
        event: null,
        text: null,
        tag_name: 'body',
        attr_class: null,
        href: null,
        attr_id: null,
        nth_child: 2,
        nth_of_type: 1,
        attributes: {},
        order: 1,
      },
    ]);
  });
  test.each<[string, string, Partial<ReturnType<typeof parseElementsChain>[number]>]>([
    ['classes with colons', 'a.hover:bg.x:nth-child="1"', { tag_name: 'a', attr_class: ['hover:bg', 'x'] }],
    [
      'attributes with colons',
      'a:attr__:href="y"nth-child="1"',
      { tag_name: 'a', attributes: { 'attr__:href': 'y' } },
    ],
    ['attributes of other names', 'a.b:data="1"', { attr_class: ['b'], attributes: { data: '1' } }],
    ['semicolons and spaces in values', 'a:text="x; y:z=\\"1\\""', { text: 'x; y:z="1"' }],
    ['backslashes that SDKs leave alone', 'a:text="C:\\dir\\file"', { text: 'C:\\dir\\file' }],
    ['a tag alone', 'a', { tag_name: 'a', nth_child: null, attributes: {} }],
    ['no tag', '.b:nth-child="x"', { tag_name: null, attr_class: ['b'], nth_child: null }],
    ['an unfinished value', 'a:text="x', { tag_name: 'a', text: 'x' }],
    ['an attribute called __proto__', 'a:__proto__="x"', { tag_name: 'a' }],
  ])('reads %s', (_, chain, element) => {
    expect(parseElementsChain(chain)).toHaveLength(1);
    expect(parseElementsChain(chain)[0]).toMatchObject(element);
  });
  test('an empty chain has no elements', () => {
    expect(parseElementsChain('')).toEqual([]);
  });
  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab.:;="\\ _') }), (chain) => {
        parseElementsChain(chain).forEach((element, order) => expect(element.order).toBe(order));
      }),
    );
  });
});

test('every element that is written is read again', () => {
  const className = fc.stringMatching(/^[a-z0-9_:[\]-]{1,12}$/).filter((name) => !name.includes(':attr__'));
  const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'\\";:=. a') }));
  const written = value.filter((text) => text.length <= 400 && text.isWellFormed());
  const attribute = fc
    .stringMatching(/^attr__[a-z@:-][a-z:@.-]{0,8}$/)
    .filter((n) => !/^attr__(class|id|href)$/.test(n));
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          tag: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
          classes: fc.uniqueArray(className, { maxLength: 4 }),
          text: written,
          href: written,
          id: written,
          child: fc.nat(),
          extra: fc.dictionary(attribute, written, { maxKeys: 4 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      (elements) => {
        const sent = elements.map(({ tag, classes, text, href, id, child, extra }) => ({
          ...extra,
          tag_name: tag,
          attr__class: classes.join(' '),
          attr__href: href,
          attr__id: id,
          $el_text: text,
          nth_child: child,
          nth_of_type: 1,
        }));
        const read = parseElementsChain(formatElementsChain(sent));
        expect(read).toEqual(
          elements.map(({ tag, classes, text, href, id, child, extra }, order) => ({
            event: null,
            text: text === '' ? null : text,
            tag_name: tag,
            attr_class: classes.length === 0 ? null : classes.toSorted(),
            href: href === '' ? null : href,
            attr_id: id === '' ? null : id,
            nth_child: child,
            nth_of_type: 1,
            attributes: { ...extra, attr__class: classes.join(' '), attr__href: href, attr__id: id },
            order,
          })),
        );
      },
    ),
    { numRuns: 1000 },
  );
});
