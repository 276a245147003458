import { fail, type ApiError } from '../errors.ts';
import type { Expr } from '../hogql/ast.ts';
import { and, call, compare, constant, field, lambda, not, or } from '../hogql/build.ts';
import { escapeValue } from '../lib/elements-chain.ts';
import { isEquality, matchesMissing } from './operators.contract.ts';
import { compareOperand } from './operators.ts';
import { textOperand, type PropertyComparison } from './to-hogql.ts';

/** Keys of a filter on the clicked element and its parents. */
const ELEMENT_KEYS = ['tag_name', 'text', 'href', 'selector'] as const;

/** A value in quotes, as `elements-chain.ts` writes it. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** The parts of a chain, as patterns whose first group is the text. */
const ELEMENT_TEXTS = {
  tag_name: `(?:^|;)([^.:;"]*)(?:[^;"]|${QUOTED})*`,
  text: String.raw`[:"]text="((?:[^"\\]|\\.)*)"`,
  href: String.raw`[:"]href="((?:[^"\\]|\\.)*)"`,
} as const;

/**
 * The condition that of the elements of a chain, the clicked one and its parents, one matches; or none when the operator
 * says not. Throws invalid_input.
 */
export function elementExpr(chain: Expr, key: string, comparison: PropertyComparison): Expr {
  const known = ELEMENT_KEYS.find((name) => name === key);
  if (known === undefined) throw refusal(`Element filters support the keys ${ELEMENT_KEYS.join(', ')}.`);
  const isNegative = matchesMissing(comparison.operator);
  const text = call('coalesce', chain, constant(''));
  if (known === 'selector') return selectorExpr(text, comparison, isNegative);
  const found = call('extractAll', text, constant(ELEMENT_TEXTS[known]));
  const read = lambda(['v'], call('replaceAll', field('v'), constant('\\"'), constant('"')));
  const texts = call(
    'arrayFilter',
    lambda(['v'], compare('!=', field('v'), constant(''))),
    call('arrayMap', read, found),
  );
  const wanted = compareOperand(textOperand(field('v')), comparison);
  const hits = call('arrayExists', lambda(['v'], isNegative ? not(wanted) : wanted), texts);
  return isNegative ? not(hits) : hits;
}

function selectorExpr(chain: Expr, comparison: PropertyComparison, isNegative: boolean): Expr {
  if (!isEquality(comparison.operator) || comparison.values.length === 0) {
    throw refusal('Selector filters require the operator exact or is_not, and a CSS selector.');
  }
  const conditions = comparison.values.map((value) => matchesSelector(chain, String(value)));
  return isNegative ? not(or(...conditions)) : or(...conditions);
}

function matchesSelector(chain: Expr, selector: string): Expr {
  const wanted = readSelector(selector);
  if (wanted === null) throw refusal(`Invalid CSS selector: ${selector}`);
  const digits = wanted.elements.map((patterns) => {
    const fits = and(...patterns.map((pattern) => call('match', field('el'), constant(pattern))));
    return call('if', fits, constant('1'), constant('0'));
  });
  const word = digits.length === 1 ? digits[0]! : call('concat', ...digits);
  const elements = call('extractAll', chain, constant(ELEMENT_PATTERN));
  const words = call('arrayStringConcat', call('arrayMap', lambda(['el'], word), elements), constant(';'));
  return call('match', words, constant(wanted.path));
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}

/** What one element of a selector must be: regular expressions over the element's part of a chain. */
interface Compound {
  patterns: string[];
  /** How the element before it in the selector, an ancestor, is related to it; null: there is none. */
  ancestor: 'parent' | 'any' | null;
}

/** The rest of a value, up to its quote. */
const REST = String.raw`(?:[^"\\]|\\.)*`;
/** The parts of a chain. */
const ELEMENT_PATTERN = `(?:[^;"]|"${REST}")+`;
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
interface SelectorPatterns {
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
function readSelector(selector: string): SelectorPatterns | null {
  const compounds = parseSelector(selector.trim());
  if (compounds === null) return null;
  // The element itself comes first in a chain, its ancestors behind it.
  const wanted = compounds.toReversed();
  const places = wanted.map((_, at) => `[01]{${at}}1[01]{${wanted.length - 1 - at}}`);
  const path = places.map((place, at) => (at === 0 ? place : behind(wanted[at - 1]!) + place)).join('');
  return { elements: wanted.map(({ patterns }) => patterns), path: `(?:^|;)${path}` };
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
