import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { and, compare, constant, dateTime, field, or, tuple } from '../../../../hogql/build.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { readDateWord } from '../../dates/date-word.ts';
import { filterContext } from '../../filters/filter-context.ts';
import { actionExpr, filterExpr } from '../../filters/property-filter.ts';
import type { KindContext } from '../../query-kind.ts';
import { actorIds } from '../actor-ids.ts';
import type { EventsQuery } from '../table-kinds.contract.ts';

/** Events that clocks ahead of ours send are shown that long before their time. */
const AHEAD_MS = 5_000;
/** The end of the time range is rounded, so that equal queries within it are equal statements. */
const STEP_MS = 10_000;
const CURSOR = /^(.+Z)_([0-9a-f-]{36})$/;

/** All that an event must fulfil to be listed; `byTime` is the direction in which a cursor leads on. */
export async function conditionsOf(
  query: EventsQuery,
  context: KindContext,
  byTime: 'ASC' | 'DESC' | null,
): Promise<Expr[]> {
  const filtered = filterContext(context);
  const filters = await Promise.all([
    ...(query.where ?? []).map((text) => context.parse.expression(text)),
    filterExpr(query.properties, filtered),
    filterExpr(query.fixedProperties, filtered),
    query.filterTestAccounts ? filterExpr(context.testAccountFilters, filtered) : null,
    query.actionId ? context.action(query.actionId).then((action) => actionExpr(action, filtered)) : null,
    query.actionSteps?.length ? actionExpr({ steps: query.actionSteps }, filtered) : null,
    query.source ? personsOf(query.source, context) : null,
  ]);
  return [
    ...namesOf(query),
    ...(query.personId ? [compare('==', field('person_id'), constant(query.personId))] : []),
    ...timesOf(query, context, byTime),
    ...filters.filter((expr) => expr !== null),
  ];
}

function namesOf({ event, events }: EventsQuery): Expr[] {
  const one = event ? [compare('==', field('event'), constant(event))] : [];
  if (events === null || events === undefined || events.length === 0) return one;
  return [...one, compare('in', field('event'), tuple(...events.map((name) => constant(name))))];
}

async function personsOf(source: unknown, context: KindContext): Promise<Expr> {
  const actors = await context.actorsOf(source);
  const { groupTypeIndex } = actors;
  const actor = groupTypeIndex === null ? field('person_id') : field(`$group_${groupTypeIndex}`);
  return compare('in', actor, actorIds(actors));
}

/** Without bounds: the last day, and nothing that is yet to come. */
function timesOf(
  { after, before }: EventsQuery,
  context: KindContext,
  byTime: 'ASC' | 'DESC' | null,
): Expr[] {
  const timestamp = field('timestamp');
  const latest = Math.ceil((context.now + AHEAD_MS) / STEP_MS) * STEP_MS;
  const lower = after === 'all' ? [] : [boundOf('after', after || '-24h', '>', byTime === 'ASC', context)];
  const upper = before
    ? boundOf('before', before, '<', byTime === 'DESC', context)
    : compare('<', timestamp, dateTime(latest));
  return [...lower, upper];
}

/** A bound of the timestamp; a cursor also says after which of the events of its moment the next page begins. */
function boundOf(
  name: 'after' | 'before',
  text: string,
  sign: '<' | '>',
  leadsOn: boolean,
  context: KindContext,
): Expr {
  const timestamp = field('timestamp');
  const [, moment, uuid] = CURSOR.exec(text) ?? [];
  if (moment === undefined || uuid === undefined || !leadsOn) {
    return compare(sign, timestamp, dateTime(momentOf(name, moment ?? text, context)));
  }
  const at = dateTime(momentOf(name, moment, context));
  const further = and(compare('==', timestamp, at), compare(sign, field('uuid'), constant(uuid)));
  return or(compare(sign, timestamp, at), further);
}

function momentOf(name: string, text: string, { timezone, weekStartDay, now }: KindContext): number {
  const word = readDateWord(text, { zone: timeZone(timezone), weekStart: weekStartDay, now });
  if (word !== null) return word.isMoment ? word.exact + microsOf(text) : word.exact;
  const detail = `'${text.slice(0, 40)}' is not a valid ${name}: use a date and time, a date, or a relative date such as -24h.`;
  throw fail('invalid_input', { detail });
}

/** What a moment says beyond its milliseconds, as a part of one. */
function microsOf(text: string): number {
  return Number(/\.\d{3}(\d{3})/.exec(text)?.[1] ?? 0) / 1_000;
}
