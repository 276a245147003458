import { escapeValue } from '../../lib/elements-chain.ts';
import { matchesSql } from '../../hogql/functions/text-sql.ts';
import type { Bind } from './bind.ts';

/** What one element of a selector must be: regular expressions over the element's part of a chain. */
interface Compound {
  patterns: string[];
  /** How the element before it in the selector, an ancestor, is related to it; null: there is none. */
  ancestor: 'parent' | 'any' | null;
}

/** The rest of a value, up to its quote. */
const REST = String.raw`(?:[^"\\]|\\.)*`;
/** The parts of a chain. */
export const ELEMENT_PATTERN = `(?:[^;"]|"${REST}")+`;
/** All before an attribute's name: the tag and classes with their colon, or whole attributes. */
const BEFORE = `^(?:[^"]*:|(?:[^"]*"${REST}")+)`;
/** What follows a class: another one, the attributes, or nothing. Classes may hold colons themselves. */
const AFTER_CLASS = String.raw`(?:\.|:(?:attr__|attr_id=|href=|nth-child=|nth-of-type=|text=)|:?$)`;

const NAME = String.raw`(?:\\.|[\w-])+`;
const TOKEN = new RegExp(
  [
    String.raw`(?<combinator>\s*>\s*|\s+)`,
    String.raw`(?<any>\*)`,
    `(?<tag>[A-Za-z][\\w-]*)`,
    String.raw`\.(?<class>${NAME})`,
    `#(?<id>${NAME})`,
    String.raw`\[\s*(?<attribute>[\w-]+)\s*(?:(?<sign>[\^$*]?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[\w-]+))\s*)?\]`,
    String.raw`:nth-(?<nth>child|of-type)\((?<position>\d+)\)`,
  ].join('|'),
  'y',
);

/** A CSS selector as patterns over the elements of a chain. */
export interface SelectorPatterns {
  /** For each part of the selector, the element itself first, patterns that all must be found in the text of an element. */
  readonly elements: readonly (readonly string[])[];
  /**
   * Each element of a chain becomes a word of digits, one for each part of the selector, 1 where it fits, joined by
   * semicolons: this pattern follows the combinators over them.
   */
  readonly path: string;
}

/**
 * Reads a CSS selector: tags, classes, ids, attributes, `:nth-child`, `:nth-of-type`, and the combinators for parents and
 * ancestors. Null when it cannot be read.
 */
export function readSelector(selector: string): SelectorPatterns | null {
  const compounds = parseSelector(selector.trim());
  if (compounds === null) return null;
  // The element itself comes first in a chain, its ancestors behind it.
  const wanted = compounds.toReversed();
  const places = wanted.map((_, at) => `[01]{${at}}1[01]{${wanted.length - 1 - at}}`);
  const path = places.map((place, at) => (at === 0 ? place : behind(wanted[at - 1]!) + place)).join('');
  return { elements: wanted.map(({ patterns }) => patterns), path: `(?:^|;)${path}` };
}

/** SQL that holds for chains in which an element matches the selector; null when it cannot be read. */
export function matchesSelector(chain: string, selector: string, bind: Bind): string | null {
  const wanted = readSelector(selector);
  if (wanted === null) return null;
  const flags = wanted.elements.map((patterns) => {
    const holds = patterns.map((pattern) => matchesSql('el', bind(pattern)));
    return `CASE WHEN ${holds.length === 0 ? 'true' : holds.join(' AND ')} THEN '1' ELSE '0' END`;
  });
  const elements = `regexp_extract_all(coalesce(${chain}, ''), '${ELEMENT_PATTERN}')`;
  const digits = `array_to_string(list_transform(${elements}, lambda el: concat(${flags.join(', ')})), ';')`;
  return matchesSql(digits, bind(wanted.path));
}

function behind({ ancestor }: Compound): string {
  return ancestor === 'parent' ? ';' : ';(?:[01]+;)*';
}

function parseSelector(text: string): Compound[] | null {
  const compounds: Compound[] = [{ patterns: [], ancestor: null }];
  let isEmpty = true;
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) return null;
    const groups = token.groups!;
    const { combinator } = groups;
    // A combinator parts two elements, and a tag or a star begins one.
    if (isEmpty ? combinator !== undefined : groups['any'] !== undefined || groups['tag'] !== undefined) {
      return null;
    }
    if (combinator !== undefined) {
      compounds.push({ patterns: [], ancestor: combinator.includes('>') ? 'parent' : 'any' });
    } else if (groups['any'] === undefined) compounds.at(-1)!.patterns.push(patternOf(groups));
    isEmpty = combinator !== undefined;
    at = TOKEN.lastIndex;
  }
  return isEmpty ? null : compounds;
}

function patternOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { tag, class: className, id, attribute, nth } = groups;
  if (tag !== undefined) return `^${quote(tag.toLowerCase())}(?:[.:]|$)`;
  if (className !== undefined) return `^[^"]*?\\.${quote(unescape(className))}${AFTER_CLASS}`;
  if (id !== undefined) return `${BEFORE}attr_id="${quote(escapeValue(unescape(id)))}"`;
  if (nth !== undefined) return `${BEFORE}nth-${nth}="${groups['position']}"`;
  const value = groups['double'] ?? groups['single'] ?? groups['bare'];
  const name = attribute === 'href' ? '(?:attr__)?href' : `attr__${quote(attribute!)}`;
  if (value === undefined) return `${BEFORE}${name}="`;
  const sign = groups['sign']!;
  const start = sign === '$=' || sign === '*=' ? REST : '';
  const end = sign === '^=' || sign === '*=' ? REST : '';
  return `${BEFORE}${name}="${start}${quote(escapeValue(value))}${end}"`;
}

/** A text as a regular expression that finds it and nothing else. */
function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function unescape(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}
