import { isJsonObject } from './exact-number.contract.ts';
/**
 * The clicked element and its parents as one text, in PostHog's form:
 * `button.primary.wide:attr__id="buy"attr_id="buy"nth-child="2"nth-of-type="1"text="Buy";form:…`
 * Elements are parted by `;`; each is a tag, its classes, and attributes in alphabetical order. Quotes in values are
 * escaped by a backslash. A backslash is literal except right before a quote, where it is doubled: that leaves what SDKs
 * send untouched and makes every value readable again.
 */

/** An element as the API shows it (management contract 7.2). */
export interface Element {
  event: null;
  text: string | null;
  tag_name: string | null;
  attr_class: string[] | null;
  href: string | null;
  attr_id: string | null;
  nth_child: number | null;
  nth_of_type: number | null;
  attributes: Record<string, string>;
  /** 0 is the element clicked. */
  order: number;
}

const MAX_TEXT_LENGTH = 400;
const MAX_HREF_LENGTH = 2048;
/** What ends an element, its classes or a name; none of them occurs in HTML names. */
const NOT_IN_NAMES = /["=;\s]/g;
/** Where the first attribute's name begins in `button.primary:attr__id`; class names and names may hold colons too. */
const FIRST_ATTRIBUTE = /:(?=attr__|(?:attr_id|href|nth-child|nth-of-type|text)$)/;

/** Writes an SDK's `$elements` array as a chain, without items that are not objects. */
export function formatElementsChain(elements: unknown[]): string {
  return elements.filter(isJsonObject).map(formatElement).join(';');
}

function formatElement(element: Record<string, unknown>): string {
  const classes = textOf(element.attr__class).split(/\s+/).sort();
  const values: [string, string][] = [
    ['nth-child', textOf(element.nth_child) || '0'],
    ['nth-of-type', textOf(element.nth_of_type) || '0'],
    ['text', cut(textOf(element.$el_text), MAX_TEXT_LENGTH)],
    ['href', cut(textOf(element.attr__href), MAX_HREF_LENGTH)],
    ['attr_id', textOf(element.attr__id)],
  ];
  const given = values.filter(([, value]) => value !== '');
  for (const name of Object.keys(element)) {
    if (name.startsWith('attr__')) given.push([nameOf(name), textOf(element[name])]);
  }
  given.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const selector = [nameOf(textOf(element.tag_name)), ...classes.map(nameOf).filter((name) => name !== '')];
  return `${selector.join('.')}:${given.map(([name, value]) => `${name}="${escapeValue(value)}"`).join('')}`;
}

/** Reads a chain back. Never throws: of an invalid chain it returns the readable elements. */
export function parseElementsChain(chain: string): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < chain.length;) {
    const { selector, attributes, end } = scanElement(chain, at);
    if (selector !== '' || attributes.length > 0)
      elements.push(toElement(selector, attributes, elements.length));
    at = end + 1;
  }
  return elements;
}

interface ScannedElement {
  selector: string;
  attributes: [name: string, value: string][];
  /** Index of the `;` behind it, or the chain's length. */
  end: number;
}

function scanElement(chain: string, start: number): ScannedElement {
  const attributes: [string, string][] = [];
  let selector: string | null = null;
  let from = start;
  for (let at = start; at < chain.length; at++) {
    const char = chain[at];
    if (char === ';')
      return { selector: selector ?? bareSelector(chain.slice(from, at)), attributes, end: at };
    if (char !== '"') continue;
    const value = scanValue(chain, at + 1);
    let name = chain.slice(from, at).replace(/=$/, '').trim();
    if (selector === null) {
      const colon = name.search(FIRST_ATTRIBUTE);
      const split = colon === -1 ? name.lastIndexOf(':') : colon;
      selector = split === -1 ? '' : name.slice(0, split);
      name = name.slice(split + 1);
    }
    attributes.push([name, value.text]);
    at = value.end;
    from = at + 1;
  }
  return { selector: selector ?? bareSelector(chain.slice(from)), attributes, end: chain.length };
}

/** The selector of an element without attributes, with or without the colon before them. */
function bareSelector(text: string): string {
  return text.replace(/:$/, '');
}

/** Reads a value up to its closing quote: an even number of backslashes before a quote leaves it a closing one. */
function scanValue(chain: string, start: number): { text: string; end: number } {
  const pieces: string[] = [];
  let from = start;
  for (;;) {
    const quote = chain.indexOf('"', from);
    if (quote === -1) return { text: pieces.join('') + chain.slice(from), end: chain.length };
    let backslashes = 0;
    while (quote - backslashes > from && chain[quote - backslashes - 1] === '\\') backslashes++;
    pieces.push(chain.slice(from, quote - backslashes), '\\'.repeat(backslashes >> 1));
    if (backslashes % 2 === 0) return { text: pieces.join(''), end: quote };
    pieces.push('"');
    from = quote + 1;
  }
}

/**
 * Escapes a value for quotes. Run by run, because a pattern that looks for the quote behind a run takes quadratic
 * time on long ones.
 */
export function escapeValue(value: string): string {
  return value.replace(/\\+|"/g, (found, at: number) => {
    if (found === '"') return '\\"';
    const end = at + found.length;
    return end === value.length || value[end] === '"' ? found + found : found;
  });
}

function toElement(selector: string, pairs: [string, string][], order: number): Element {
  const [tag = '', ...classes] = selector.trim().split('.');
  const known = new Map(pairs);
  return {
    event: null,
    text: known.get('text') ?? null,
    tag_name: tag === '' ? null : tag,
    attr_class: classes.length === 0 ? null : classes,
    href: known.get('href') ?? null,
    attr_id: known.get('attr_id') ?? null,
    nth_child: numberOf(known.get('nth-child')),
    nth_of_type: numberOf(known.get('nth-of-type')),
    attributes: Object.fromEntries(pairs.filter(([name]) => !OWN_FIELDS.has(name))),
    order,
  };
}

const OWN_FIELDS = new Set(['text', 'href', 'attr_id', 'nth-child', 'nth-of-type']);

function numberOf(text: string | undefined): number | null {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) ? null : number;
}

function nameOf(text: string): string {
  return text.replace(NOT_IN_NAMES, '');
}

/** What an attribute shows as text: numbers and booleans written out, a list of classes joined; nothing for objects. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : '';
}

/** At most `length` UTF-16 units, never half of a pair. */
function cut(text: string, length: number): string {
  const splitsPair = text.length > length && text.codePointAt(length - 1)! > 0xffff;
  return text.slice(0, splitsPair ? length - 1 : length);
}
