import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { resolveDates, type DateSpan, firstEventOf } from '../../dates.ts';
import { filterContext, type FilterContext, propertyOperand } from '../../filters.ts';
import { cleanedPath, readRules, type PathRule } from '../../path-cleaning.ts';
import type { KindContext } from '../../query-kind.ts';
import { scopeConditions, eventsFrom, inSpan, actorOf, type Actor } from '../../series.ts';
import { eventsAround, readAroundStep, type AroundStep } from './around-step.ts';
import type { PathsQuery } from './schema.ts';
import {
  and,
  call,
  compare,
  constant,
  field,
  not,
  or,
  tuple,
  alias,
  arithmetic,
  array,
  arrayAccess,
  from,
  order,
  over,
  select,
  isNotNull,
  tupleAccess,
} from '../../../../hogql/build.ts';

/** A PathsQuery, read. */
export interface PathsPlan {
  readonly query: PathsQuery;
  readonly filter: NonNullable<PathsQuery['pathsFilter']>;
  readonly actor: Actor;
  readonly item: PathItem;
  readonly scope: readonly Expr[];
  readonly span: DateSpan;
  readonly filters: FilterContext;
  /** The step of a funnel around which paths are; null: none. */
  readonly around: AroundStep | null;
  /** Where paths begin and end; null: anywhere. */
  readonly start: string | null;
  readonly end: string | null;
  /** Items of a path at most. */
  readonly stepLimit: number;
  readonly edgeLimit: number;
}

const DEFAULT_STEPS = 5;
const MOST_STEPS = 50;
const DEFAULT_EDGES = 50;
const MOST_EDGES = 10_000;

/** Reads a query: its dates, conditions and the names of its items. Throws invalid_input, HogqlError. */
export async function planPaths(query: PathsQuery, context: KindContext): Promise<PathsPlan> {
  const filters = filterContext(context);
  const filter = query.pathsFilter ?? {};
  const stepLimit = filter.stepLimit ?? DEFAULT_STEPS;
  const edgeLimit = filter.edgeLimit ?? DEFAULT_EDGES;
  if (stepLimit < 2 || stepLimit > MOST_STEPS) {
    throw fail('invalid_input', { detail: `stepLimit must be 2 to ${MOST_STEPS}.` });
  }
  const [firstEvent, scope, item, around] = await Promise.all([
    firstEventOf(query.dateRange, context),
    scopeConditions(query, context, filters),
    pathItem(filter, filters, context.pathCleaningFilters),
    readAroundStep(query, context),
  ]);
  const { now, weekStartDay: weekStart } = context;
  const actor = actorOf(query.aggregation_group_type_index, filters);
  return {
    query,
    filter,
    actor,
    item,
    scope: [...scope, ...actor.isKnown],
    span: resolveDates(query.dateRange, { zone: timeZone(context.timezone), weekStart, now, firstEvent }),
    filters,
    around,
    start: filter.startPoint ? withoutSlashText(filter.startPoint) : null,
    end: filter.endPoint ? withoutSlashText(filter.endPoint) : null,
    stepLimit,
    edgeLimit: Math.min(edgeLimit, MOST_EDGES),
  };
}

type PathsFilter = NonNullable<PathsQuery['pathsFilter']>;

/** What an event is on a path. */
interface PathItem {
  /** Its name before it is grouped; NULL or empty for an event that is on no path. */
  readonly name: Expr;
  /** What names are grouped by. */
  readonly patterns: readonly string[];
  /** Which events are looked at; none: all. */
  readonly where: readonly Expr[];
}

const PAGEVIEW = '$pageview';
const SCREEN = '$screen';
const TYPES = [PAGEVIEW, SCREEN, 'custom_event', 'hogql'];
const MOST_GROUPINGS = 100;

/**
 * The names that events have on paths: a page its address, a screen its name, any other event its own, or what an expression
 * says; then cleaned, and grouped by patterns (management contract 9.9.2). Throws invalid_input, HogqlError.
 */
async function pathItem(
  filter: PathsFilter,
  context: FilterContext,
  ofProject: readonly unknown[],
): Promise<PathItem> {
  const types = new Set(filter.includeEventTypes ?? []);
  const unknown = [...types].find((type) => !TYPES.includes(type));
  if (unknown !== undefined) {
    throw refusal(`Unknown path event type '${unknown.slice(0, 40)}'. Supported types: ${TYPES.join(', ')}.`);
  }
  if (types.has('hogql') && typeof filter.pathsHogQLExpression !== 'string') {
    throw refusal('Paths of type hogql require pathsHogQLExpression.');
  }
  const cleaned = cleanedPath(await nameOfEvent(filter, types, context), replacementsOf(filter, ofProject));
  const patterns = filter.pathGroupings ?? [];
  if (patterns.length > MOST_GROUPINGS)
    throw refusal(`Paths can have up to ${MOST_GROUPINGS} path groupings.`);
  return { name: cleaned, patterns, where: ofTypes(types, context) };
}

/** The condition of the paths' items that are not left out: by their names, which may be those of groupings, as in PostHog. */
function notExcluded(name: Expr, { excludeEvents }: PathsFilter): Expr[] {
  const names = (excludeEvents ?? []).map((one) => constant(withoutSlashText(one)));
  return names.length === 0 ? [] : [compare('not in', name, tuple(...names))];
}

/** Paths show pages without a trailing slash. */
function withoutSlashText(name: string): string {
  return name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
}

/** Without types all of them are meant but those that are excluded. */
async function nameOfEvent(
  { excludeEvents, pathsHogQLExpression: text }: PathsFilter,
  types: ReadonlySet<string>,
  context: FilterContext,
): Promise<Expr> {
  const event = field(...context.path('event'));
  const property = (name: string): Expr => propertyOperand('event', ['properties', name], context).text;
  const isMeant = (type: string): boolean =>
    types.size === 0 ? !(excludeEvents ?? []).includes(type) : types.has(type);
  const isOf = (type: string): Expr => compare('==', event, constant(type));
  const name =
    typeof text === 'string' && text !== '' && isMeant('hogql')
      ? call('toString', await context.parse.expression(text))
      : event;
  const branches = [
    ...(isMeant(PAGEVIEW) ? [isOf(PAGEVIEW), withoutSlash(property('$current_url'))] : []),
    ...(isMeant(SCREEN) ? [isOf(SCREEN), property('$screen_name')] : []),
  ];
  return branches.length === 0 ? name : call('multiIf', ...branches, name);
}

/** Which events are looked at; with none of these types, all. */
function ofTypes(types: ReadonlySet<string>, context: FilterContext): Expr[] {
  const event = field(...context.path('event'));
  const named = [PAGEVIEW, SCREEN].filter((type) => types.has(type));
  const own = not(call('startsWith', event, constant('$')));
  const conditions = [
    ...named.map((type) => compare('==', event, constant(type))),
    ...(types.has('custom_event') ? [own] : []),
  ];
  return conditions.length === 0 ? [] : [or(...conditions)];
}

function withoutSlash(name: Expr): Expr {
  return call('replaceRegexpOne', name, constant('(.)/$'), constant('\\1'));
}

/**
 * The rules by which names are cleaned: matches of the regular expression are replaced by the alias. The project's
 * rules come first if the query enables them (`pathReplacements`), then its own; both in order.
 */
function replacementsOf(filter: PathsFilter, ofProject: readonly unknown[]): PathRule[] {
  const shared = filter.pathReplacements === true ? ofProject : filter.pathReplacements || [];
  return [...readRules(shared), ...readRules(filter.localPathCleaningFilters ?? [])];
}

/**
 * The pattern that fits a part of a name, or else the name. Of several it is the one whose part ends first, as in PostHog,
 * and of those the first.
 */
function grouped(name: Expr, patterns: readonly string[]): Expr {
  const [only, ...others] = patterns;
  if (only === undefined) return name;
  if (others.length === 0) return call('if', fits(name, only), constant(only), name);
  const ends = patterns.map((pattern, at) => tuple(endOf(name, pattern), constant(at + 1)));
  const first = arrayAccess(call('arraySort', array(...ends)), constant(1));
  const found = arrayAccess(array(...patterns.map((pattern) => constant(pattern))), tupleAccess(first, 2));
  return call('if', or(...patterns.map((pattern) => fits(name, pattern))), found, name);
}

/** Greater than the length of any name. */
const NOWHERE = 1_000_000_000;

/** Where the first part that a pattern fits ends; far behind a name that it does not fit. */
function endOf(name: Expr, pattern: string): Expr {
  const until = call('extract', name, constant(`(?s)^.*?${regexOf(withoutLastStars(pattern), '.*?')}`));
  return call('if', fits(name, pattern), call('length', until), constant(NOWHERE));
}

function withoutLastStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end -= 1;
  return pattern.slice(0, end);
}

/** Whether a pattern, in which `*` matches any text, fits any part of a name (amendment A-6). */
function fits(name: Expr, pattern: string): Expr {
  return and(call('match', name, constant(`(?s)${regexOf(pattern, '.*')}`)));
}

function regexOf(pattern: string, star: string): string {
  return pattern
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(star);
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}

/**
 * From item to item: a row for each step on each path, with `actor`, `source` and `target` (`1_/a`, `2_/b`: the place and the
 * name), and `took`, its milliseconds. The first item has an empty source, and the last an empty `next`.
 */
export function pathEdges(plan: PathsPlan): SelectQuery {
  const key = call('concat', call('toString', field('place')), constant('_'), field('name'));
  const window = { partitionBy: [field('actor'), field('session')], orderBy: [order(field('place'))] };
  const keyed = select({
    select: [field('actor'), field('session'), field('place'), field('at'), alias(key, 'target')],
    from: from(pathSteps(plan)),
  });
  const since = arithmetic('-', field('at'), over(call('lag', field('at')), window));
  const neighbour = (name: string): Expr =>
    call('coalesce', over(call(name, field('target')), window), constant(''));
  return select({
    select: [
      field('actor'),
      field('target'),
      alias(neighbour('lag'), 'source'),
      alias(neighbour('lead'), 'next'),
      alias(arithmetic('/', since, constant(1_000)), 'took'),
    ],
    from: from(keyed),
  });
}

/** Counts each step and averages its duration, the most frequent first. */
export function edgeCounts(plan: PathsPlan): SelectQuery {
  const { minEdgeWeight: least, maxEdgeWeight: most } = plan.filter;
  const count = field('value');
  const having = [
    ...(least ? [compare('>=', count, constant(least))] : []),
    ...(most ? [compare('<=', count, constant(most))] : []),
  ];
  return select({
    select: [
      field('source'),
      field('target'),
      alias(call('count'), 'value'),
      alias(call('avg', field('took')), 'average_conversion_time'),
    ],
    from: from(pathEdges(plan)),
    where: compare('!=', field('source'), constant('')),
    groupBy: [field('source'), field('target')],
    ...(having.length > 0 && { having: and(...having) }),
    orderBy: [order(count, 'DESC'), order(field('source')), order(field('target'))],
    limit: plan.edgeLimit,
  });
}

/** Microseconds without an event after which a path ends: half an hour, as PostHog has it. */
const PAUSE = 30 * 60 * 1_000_000;
const MORE = '...';

const [ACTOR, AT, NAME, SESSION, PLACE] = ['actor', 'at', 'name', 'session', 'place'].map((name) =>
  field(name),
) as [Expr, Expr, Expr, Expr, Expr];

/** Events at the same moment are ordered by name. */
const IN_TIME = [order(AT), order(NAME)];
const PATH = [ACTOR, SESSION];

/**
 * The items of all paths: columns `actor`, `session`, `place` (from 1), `name` and `at` (Unix microseconds). A path is what an actor did
 * without a pause of half an hour, or of the conversion window of the funnel around whose step it is; what follows itself is one item. It begins at the first start point and ends at
 * the first end point after that, where the query names them; what lacks one of them is no path. Of long paths the first items
 * are shown, with an end point alone the last, with both the first and the last, with an ellipsis between them.
 */
function pathSteps(plan: PathsPlan): SelectQuery {
  const pause = plan.around?.funnel.window ?? PAUSE;
  return limited(between(compacted(sessions(named(plan), pause)), plan), plan);
}

function named({ query, actor, item, scope, span, filters, filter, around }: PathsPlan): SelectQuery {
  const all = { source: eventsFrom(query), where: [] };
  const { source, where } = around === null ? all : eventsAround(all.source, around);
  const events = select({
    select: [
      alias(actor.id, 'actor'),
      alias(call('toUnixTimestamp64Micro', field('timestamp')), 'at'),
      alias(call('coalesce', item.name, constant('')), 'own_name'),
    ],
    from: source,
    where: and(inSpan(span, filters), ...scope, ...item.where, ...where),
  });
  const items = select({
    select: [ACTOR, AT, alias(grouped(field('own_name'), item.patterns), 'name')],
    from: from(events),
  });
  return select({
    select: [ACTOR, AT, NAME],
    from: from(items),
    where: and(compare('!=', NAME, constant('')), ...notExcluded(NAME, filter)),
  });
}

/** With the number of the session among those of its actor. */
function sessions(items: SelectQuery, pause: number): SelectQuery {
  const window = { partitionBy: [ACTOR], orderBy: IN_TIME };
  const since = arithmetic('-', AT, over(call('lag', AT), window));
  const begun = select({
    select: [
      ACTOR,
      AT,
      NAME,
      alias(call('if', compare('>=', since, constant(pause)), constant(1), constant(0)), 'begins'),
    ],
    from: from(items),
  });
  return select({
    select: [ACTOR, AT, NAME, alias(over(call('sum', field('begins')), window), 'session')],
    from: from(begun),
  });
}

/** Of equal items in a row the last one, with its time; with the places of those that are left. */
function compacted(items: SelectQuery): SelectQuery {
  const window = { partitionBy: PATH, orderBy: IN_TIME };
  const withNext = select({
    select: [
      ACTOR,
      SESSION,
      AT,
      NAME,
      alias(call('coalesce', over(call('lead', NAME), window), constant('')), 'next_name'),
    ],
    from: from(items),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, alias(over(call('row_number'), window), 'place')],
    from: from(withNext),
    where: compare('!=', NAME, field('next_name')),
  });
}

/** From the start point to the end point; with the number of items, in `size`. */
function between(items: SelectQuery, { start, end }: PathsPlan): SelectQuery {
  const first = start === null ? items : fromStart(items, start);
  const last = end === null ? first : toEnd(first, end);
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(over(call('count'), { partitionBy: PATH }), 'size')],
    from: from(last),
  });
}

/** Where an item is first on its path; NULL where it is not. */
function firstPlace(name: string): Expr {
  const here = compare('==', NAME, constant(name));
  return over(call('min', call('if', here, PLACE, constant(null))), { partitionBy: PATH });
}

function fromStart(items: SelectQuery, start: string): SelectQuery {
  const found = select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(firstPlace(start), 'start')],
    from: from(items),
  });
  const since = arithmetic('+', arithmetic('-', PLACE, field('start')), constant(1));
  const moved = select({
    select: [ACTOR, SESSION, AT, NAME, alias(since, 'place')],
    from: from(found),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE],
    from: from(moved),
    where: compare('>=', PLACE, constant(1)),
  });
}

function toEnd(items: SelectQuery, end: string): SelectQuery {
  const found = select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(firstPlace(end), 'end')],
    from: from(items),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE],
    from: from(found),
    where: and(isNotNull(field('end')), compare('<=', PLACE, field('end'))),
  });
}

function limited(items: SelectQuery, { start, end, stepLimit }: PathsPlan): SelectQuery {
  const [size, limit] = [field('size'), constant(stepLimit)];
  const columns = (place: Expr, name: Expr): Expr[] => [
    ACTOR,
    SESSION,
    AT,
    alias(name, 'name'),
    alias(place, 'place'),
  ];
  if (end === null) {
    return select({
      select: columns(PLACE, NAME),
      from: from(items),
      where: compare('<=', PLACE, limit),
    });
  }
  const left = call('greatest', arithmetic('-', size, limit), constant(0));
  if (start === null) {
    const moved = select({
      select: columns(arithmetic('-', PLACE, left), NAME),
      from: from(items),
    });
    return select({
      select: [ACTOR, SESSION, AT, NAME, PLACE],
      from: from(moved),
      where: compare('>=', PLACE, constant(1)),
    });
  }
  // Shows as many items at the end as at the start, and one in place of those between.
  const half = constant(Math.floor(stepLimit / 2));
  const isLong = compare('>', size, limit);
  const isFirst = compare('<=', PLACE, half);
  const gap = arithmetic('+', half, constant(1));
  const isGap = and(isLong, compare('==', PLACE, gap));
  const fromEnd = arithmetic('-', size, PLACE);
  const isLast = compare('<', fromEnd, half);
  const last = arithmetic('-', arithmetic('+', gap, half), fromEnd);
  // A name in WHERE means what SELECT calls so: new names first.
  const shown = select({
    select: [
      ACTOR,
      SESSION,
      AT,
      alias(call('if', isGap, constant(MORE), NAME), 'shown_name'),
      alias(call('multiIf', or(compare('<=', size, limit), isFirst), PLACE, isGap, gap, last), 'shown_place'),
    ],
    from: from(items),
    where: or(compare('<=', size, limit), isFirst, isLast, isGap),
  });
  return select({ select: columns(field('shown_place'), field('shown_name')), from: from(shown) });
}
