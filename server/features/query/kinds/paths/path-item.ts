import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { and, call, compare, constant, field, not, or, tuple } from '../../../../hogql/build.ts';
import type { FilterContext } from '../../filters/filter-context.ts';
import { propertyOperand } from '../../filters/operand.ts';
import type { PathsQuery } from '../insight-kinds.contract.ts';

type PathsFilter = NonNullable<PathsQuery['pathsFilter']>;

/** What an event is on a path. */
export interface PathItem {
  /** Its name; NULL or empty for an event that is on no path. */
  readonly name: Expr;
  /** Which events are looked at; none: all. */
  readonly where: readonly Expr[];
}

const PAGEVIEW = '$pageview';
const SCREEN = '$screen';
const TYPES = [PAGEVIEW, SCREEN, 'custom_event', 'hogql'];
const MOST_RULES = 100;

/**
 * The names that events have on paths: a page its address, a screen its name, any other event its own, or for all what an
 * expression says; then cleaned, and grouped by patterns (management contract 9.9.2). Throws invalid_input, HogqlError.
 */
export async function pathItem(
  filter: PathsFilter,
  context: FilterContext,
  ofProject: readonly unknown[],
): Promise<PathItem> {
  const types = new Set(filter.includeEventTypes ?? []);
  const unknown = [...types].find((type) => !TYPES.includes(type));
  if (unknown !== undefined) {
    throw refusal(`Unknown path event type '${unknown.slice(0, 40)}'. Supported types: ${TYPES.join(', ')}.`);
  }
  const expression = types.has('hogql') ? filter.pathsHogQLExpression : null;
  if (types.has('hogql') && typeof expression !== 'string') {
    throw refusal('Paths of type hogql require pathsHogQLExpression.');
  }
  const bare =
    typeof expression === 'string'
      ? call('toString', await context.parse.expression(expression))
      : nameOfEvent(context);
  const cleaned = replacementsOf(filter, ofProject).reduce(
    (name, { regex, alias }) => call('replaceRegexpAll', name, constant(regex), constant(alias)),
    withoutSlash(bare),
  );
  return {
    name: grouped(cleaned, filter.pathGroupings ?? []),
    where: typeof expression === 'string' || types.size === 0 ? [] : [ofTypes(types, context)],
  };
}

/** The condition of the paths' items that are not left out. */
export function notExcluded(name: Expr, { excludeEvents }: PathsFilter): Expr[] {
  const excluded = excludeEvents ?? [];
  const patterns = excluded.filter((one) => one.includes('*'));
  const names = excluded.filter((one) => !one.includes('*')).map((one) => constant(withoutSlashText(one)));
  return [
    ...(names.length === 0 ? [] : [compare('not in', name, tuple(...names))]),
    ...patterns.map((pattern) => not(fits(name, pattern))),
  ];
}

/** A name as it stands on paths, whose pages have no slash at their end. */
export function withoutSlashText(name: string): string {
  return name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
}

function nameOfEvent(context: FilterContext): Expr {
  const event = field(...context.path('event'));
  const property = (name: string): Expr => propertyOperand('event', ['properties', name], context).text;
  return call(
    'multiIf',
    compare('==', event, constant(PAGEVIEW)),
    property('$current_url'),
    compare('==', event, constant(SCREEN)),
    property('$screen_name'),
    event,
  );
}

function ofTypes(types: ReadonlySet<string>, context: FilterContext): Expr {
  const event = field(...context.path('event'));
  const named = [PAGEVIEW, SCREEN].filter((type) => types.has(type));
  const own = not(call('startsWith', event, constant('$')));
  return or(
    ...named.map((type) => compare('==', event, constant(type))),
    ...(types.has('custom_event') ? [own] : []),
  );
}

function withoutSlash(name: Expr): Expr {
  return call('replaceRegexpOne', name, constant('(.)/$'), constant('\\1'));
}

interface Replacement {
  readonly regex: string;
  readonly alias: string;
}

/**
 * The rules by which names are cleaned: matches of the regular expression are replaced by the alias. The project's
 * rules come first if the query enables them (`pathReplacements`), then its own; both in order.
 */
function replacementsOf(filter: PathsFilter, ofProject: readonly unknown[]): Replacement[] {
  const shared = filter.pathReplacements === true ? ofProject : filter.pathReplacements || [];
  const rules = [...readRules(shared), ...readRules(filter.localPathCleaningFilters ?? [])];
  if (rules.length > MOST_RULES) throw refusal(`Paths can have up to ${MOST_RULES} path cleaning rules.`);
  return rules;
}

function readRules(list: unknown): Replacement[] {
  if (!Array.isArray(list)) return [];
  const rules = list.map((rule: Readonly<Record<string, unknown>> | null) => {
    const { regex, alias, order } = rule ?? {};
    if (typeof regex !== 'string' || typeof (alias ?? '') !== 'string') {
      throw refusal('A path cleaning rule requires a regex and an alias.');
    }
    return { regex, alias: String(alias ?? ''), order: typeof order === 'number' ? order : 0 };
  });
  return rules.filter(({ regex }) => regex !== '').toSorted((a, b) => a.order - b.order);
}

/** The first pattern that a name fits, or else the name. */
function grouped(name: Expr, patterns: readonly string[]): Expr {
  if (patterns.length === 0) return name;
  if (patterns.length > MOST_RULES) throw refusal(`Paths can have up to ${MOST_RULES} path groupings.`);
  const branches = patterns.flatMap((pattern) => [fits(name, pattern), constant(pattern)]);
  return call('multiIf', ...branches, name);
}

/** All of a name fits a pattern, in which a star stands for anything. */
function fits(name: Expr, pattern: string): Expr {
  const regex = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return and(call('match', call('coalesce', name, constant('')), constant(`(?s)^${regex}$`)));
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}
