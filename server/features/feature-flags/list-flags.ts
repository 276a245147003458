import { fail } from '../../errors.ts';
import { FLAG_ORDERS, type FlagOrder, type ListFlagsQuery } from './feature-flags.contract.ts';
import type { Flag } from './flag-row.ts';

/** What a list must know of a flag beyond itself. */
export interface FlagFacts {
  /** Whether the flag has done its work. */
  isStale: (flag: Flag) => boolean;
  lastCalledAt: (flag: Flag) => string | null;
}

const SURVEY_KEY = 'survey-targeting-';

/** Internal flags of surveys: surveys show them, the list does not. */
export function isInternal({ key, creationContext }: Pick<Flag, 'key' | 'creationContext'>): boolean {
  return creationContext === 'surveys' && key.startsWith(SURVEY_KEY);
}

/** The flags of a list request, in its order; newest first by default. Throws invalid_choice for an unknown order. */
export function listedFlags(flags: readonly Flag[], query: ListFlagsQuery, facts: FlagFacts): Flag[] {
  const wanted = flags.filter((flag) => !isInternal(flag) && fits(flag, query, facts));
  return wanted.sort(comparison(query.order ?? '-created_at', facts));
}

function fits(flag: Flag, query: ListFlagsQuery, { isStale }: FlagFacts): boolean {
  const { active, type, search, created_by_id: creator, evaluation_runtime: runtime } = query;
  if (active === 'STALE' ? !isStale(flag) : active !== undefined && flag.active !== (active === 'true'))
    return false;
  if (type !== undefined && !isOfType(flag, type)) return false;
  if (creator !== undefined && flag.createdBy !== creator) return false;
  if (runtime !== undefined && flag.evaluationRuntime !== (runtime === 'both' ? 'all' : runtime))
    return false;
  if (search !== undefined && !`${flag.key}\n${flag.name}`.toLowerCase().includes(search.toLowerCase()))
    return false;
  const { has_evaluation_tags: hasTags, tags, excluded_properties: excluded } = query;
  if (hasTags !== undefined && flag.evaluationTags.length > 0 !== hasTags) return false;
  if (excluded?.includes(flag.key)) return false;
  return tags === undefined || tags.length === 0 || tags.some((tag) => flag.tags.includes(tag));
}

function isOfType(flag: Flag, type: NonNullable<ListFlagsQuery['type']>): boolean {
  if (type === 'remote_config') return flag.isRemoteConfiguration;
  // This version has no experiments beside flags with variants.
  if (type === 'experiment') return false;
  return (flag.filters.multivariate?.variants ?? []).length > 0 === (type === 'multivariant');
}

type Comparison = (a: Flag, b: Flag) => number;

/** What has no value comes last, either way; flags that are equal, newest first. */
function comparison(order: string, facts: FlagFacts): Comparison {
  const field = order.replace(/^-/, '') as FlagOrder;
  if (!FLAG_ORDERS.includes(field))
    throw fail('invalid_choice', {
      attr: 'order',
      detail: `This must be one of: ${FLAG_ORDERS.join(', ')}.`,
    });
  const sign = order.startsWith('-') ? -1 : 1;
  const valueOf = (flag: Flag) => orderValue(flag, field, facts);
  return (a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    if (x === y) return b.id - a.id;
    if (x === null || y === null) return x === null ? 1 : -1;
    return x < y ? -sign : sign;
  };
}

function orderValue(flag: Flag, field: FlagOrder, { lastCalledAt }: FlagFacts): string | number | null {
  switch (field) {
    case 'id':
    case 'key':
    case 'name':
    case 'version':
      return flag[field];
    case 'active':
      return Number(flag.active);
    case 'created_at':
      return flag.createdAt;
    case 'updated_at':
      return flag.updatedAt;
    case 'created_by':
      return flag.createdBy;
    case 'last_modified_by':
      return flag.lastModifiedBy;
    case 'last_called_at':
      return lastCalledAt(flag);
    case 'ensure_experience_continuity':
      return Number(flag.ensureExperienceContinuity);
    case 'evaluation_runtime':
      return flag.evaluationRuntime;
  }
}
