import { fail } from '../../errors.ts';
import type { Expr } from '../../hogql/ast.ts';
import { call, constant } from '../../hogql/build.ts';

/** Matches of the regular expression (RE2) are replaced by the alias. */
export interface PathRule {
  readonly regex: string;
  readonly alias: string;
}

/** Each rule is a pass over every path. */
const MOST_RULES = 100;

/** Rules as they were sent or stored, in the order in which they apply; none for what is not a list. Throws invalid_input. */
export function readRules(list: unknown): PathRule[] {
  if (!Array.isArray(list)) return [];
  const rules = list.map((rule: Readonly<Record<string, unknown>> | null) => {
    const { regex, alias, order } = rule ?? {};
    if (typeof regex !== 'string' || typeof (alias ?? '') !== 'string') {
      const detail = 'A path cleaning rule requires a regex and an alias.';
      throw fail('invalid_input', { detail });
    }
    return { regex, alias: String(alias ?? ''), order: typeof order === 'number' ? order : 0 };
  });
  return rules.filter(({ regex }) => regex !== '').toSorted((a, b) => a.order - b.order);
}

/** The path with every rule applied to what the one before has left. Throws invalid_input for too many rules. */
export function cleanedPath(path: Expr, rules: readonly PathRule[]): Expr {
  if (rules.length > MOST_RULES)
    throw fail('invalid_input', { detail: `Paths can have up to ${MOST_RULES} path cleaning rules.` });
  return rules.reduce(
    (name, { regex, alias }) => call('replaceRegexpAll', name, constant(regex), constant(alias)),
    path,
  );
}
