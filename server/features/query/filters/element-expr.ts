import { fail, type ApiError } from '../../../errors.ts';
import type { Expr } from '../../../hogql/ast.ts';
import { and, call, compare, constant, field, lambda, not, or } from '../../../hogql/build.ts';
import {
  ELEMENT_KEYS,
  ELEMENT_PATTERN,
  ELEMENT_TEXTS,
  holdsForAbsent,
  isEquality,
  readSelector,
  type Comparison,
} from '../../property-filters/index.ts';
import { compareOperand } from './compare-operand.ts';
import { textOperand } from './operand.ts';

/**
 * The condition that of the elements of a chain, the clicked one and its parents, one matches; or none when the operator
 * says not. Throws invalid_input.
 */
export function elementExpr(chain: Expr, key: string, comparison: Comparison): Expr {
  const known = ELEMENT_KEYS.find((name) => name === key);
  if (known === undefined) throw refusal(`Element filters support the keys ${ELEMENT_KEYS.join(', ')}.`);
  const isNegative = holdsForAbsent(comparison.operator);
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

function selectorExpr(chain: Expr, comparison: Comparison, isNegative: boolean): Expr {
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
