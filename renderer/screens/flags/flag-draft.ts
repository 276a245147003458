import type { BodyOf } from '../../api/client.ts';
import type {
  FeatureFlagJson as FeatureFlag,
  FlagFilters,
  FlagGroup,
  FlagRuntime,
} from '../../../server/features/feature-flags/feature-flags.contract.ts';
import type { PropertyFilter } from '../../ui/property-filter.ts';

/** What a flag answers: on or off, one of several variants, or a value that is fetched as configuration. */
export type AnswerKind = 'boolean' | 'variants' | 'value';

/** A condition set in the editor. `id` identifies it while sets are moved. */
export interface SetDraft {
  id: string;
  /** What it is called here; empty for a number alone. */
  description: string;
  properties: PropertyFilter[];
  /** Percent of those who pass. */
  rollout: number;
  /** The variant that all of this set get. */
  variant: string | null;
  /** Keys that this console does not know, kept as they are. */
  rest: Record<string, unknown>;
}

export interface VariantDraft {
  id: string;
  key: string;
  name: string;
  /** Percent; those of all variants are 100 together. */
  share: number;
  /** JSON text, or nothing. */
  payload: string;
  rest: Record<string, unknown>;
}

/** The draft of a flag. */
export interface FlagDraft {
  key: string;
  /** What it is for. */
  name: string;
  active: boolean;
  tags: string[];
  answer: AnswerKind;
  sets: SetDraft[];
  variants: VariantDraft[];
  /** What is sent with `true`; JSON text, or nothing. */
  payload: string;
  /** The kind of groups that get it; `null` for persons. */
  groupTypeIndex: number | null;
  runtime: FlagRuntime;
  continuity: boolean;
  bucketing: 'distinct_id' | 'device_id';
  /** Keys of the filters that this console does not know, kept as they are. */
  rest: Record<string, unknown>;
}

export type NewId = () => string;

/** A new flag, with one set for all persons at 0 percent. */
export function emptyDraft(newId: NewId): FlagDraft {
  return {
    key: '',
    name: '',
    active: true,
    tags: [],
    answer: 'boolean',
    sets: [emptySet(newId)],
    variants: [],
    payload: '',
    groupTypeIndex: null,
    runtime: 'all',
    continuity: false,
    bucketing: 'distinct_id',
    rest: {},
  };
}

/** A condition set without conditions, at a rollout of 0 percent. */
export function emptySet(newId: NewId): SetDraft {
  return { id: newId(), description: '', properties: [], rollout: 0, variant: null, rest: {} };
}

/** The draft of a stored flag. */
export function draftOf(flag: FeatureFlag, newId: NewId): FlagDraft {
  const { groups, multivariate, payloads, aggregation_group_type_index: index, ...rest } = flag.filters;
  const variants = multivariate?.variants ?? [];
  return {
    key: flag.key,
    name: flag.name,
    active: flag.active,
    tags: [...flag.tags],
    answer: flag.is_remote_configuration ? 'value' : variants.length > 0 ? 'variants' : 'boolean',
    sets: groups.map((group) => setOf(group, newId)),
    variants: variants.map(({ key, name, rollout_percentage: share, ...others }) => ({
      id: newId(),
      key,
      name: name ?? '',
      share,
      payload: payloadText(payloads?.[key]),
      rest: others,
    })),
    payload: payloadText(payloads?.['true']),
    groupTypeIndex: index ?? null,
    runtime: flag.evaluation_runtime,
    continuity: flag.ensure_experience_continuity,
    bucketing: flag.bucketing_identifier ?? 'distinct_id',
    rest,
  };
}

function setOf(group: FlagGroup, newId: NewId): SetDraft {
  const { properties = [], rollout_percentage: rollout, variant, description, ...rest } = group;
  return {
    id: newId(),
    description: description ?? '',
    properties: properties.map(
      (condition) => ({ ...condition, operator: condition.operator ?? 'exact' }) as PropertyFilter,
    ),
    rollout: rollout ?? 100,
    variant: variant ?? null,
    rest,
  };
}

function payloadText(payload: unknown): string {
  if (payload === undefined || payload === null) return '';
  return typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
}

/** The filters that a draft writes, in the wire's shape. */
export function filtersOf(draft: FlagDraft): FlagFilters {
  const isVariants = draft.answer === 'variants';
  return {
    ...draft.rest,
    groups: draft.sets.map((set) => groupOf(set, isVariants)),
    multivariate: isVariants
      ? {
          variants: draft.variants.map(({ key, name, share, rest }) => ({
            ...rest,
            key,
            name,
            rollout_percentage: share,
          })),
        }
      : null,
    payloads: payloadsOf(draft),
    aggregation_group_type_index: draft.groupTypeIndex,
  };
}

function groupOf(
  { properties, rollout, variant, description, rest }: SetDraft,
  isVariants: boolean,
): FlagGroup {
  return {
    ...rest,
    properties: properties as FlagGroup['properties'] & object,
    rollout_percentage: rollout,
    variant: isVariants ? variant : null,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  };
}

function payloadsOf({ answer, variants, payload }: FlagDraft): Record<string, string> {
  const all = answer === 'variants' ? variants.map((one) => [one.key, one.payload]) : [['true', payload]];
  return Object.fromEntries(all.map(([key, text]) => [key!, text!.trim()]).filter(([, text]) => text !== ''));
}

/** All that saving a new flag sends. */
export function newFlagOf(draft: FlagDraft): BodyOf<'POST P/feature_flags/'> {
  return {
    key: draft.key.trim(),
    name: draft.name.trim(),
    active: draft.active,
    tags: draft.tags,
    filters: filtersOf(draft),
    ensure_experience_continuity: draft.continuity,
    evaluation_runtime: draft.runtime,
    bucketing_identifier: draft.bucketing === 'device_id' ? 'device_id' : null,
    is_remote_configuration: draft.answer === 'value',
  };
}

/** What of a draft differs from the draft of the stored flag, as saving sends it; nothing when nothing does. */
export function changeOf(saved: FlagDraft, draft: FlagDraft): BodyOf<'PATCH P/feature_flags/:id/'> {
  const [before, after] = [newFlagOf(saved), newFlagOf(draft)];
  const entries = Object.entries(after) as [keyof BodyOf<'PATCH P/feature_flags/:id/'>, unknown][];
  return Object.fromEntries(entries.filter(([field, value]) => !isSame(before[field], value)));
}

/** The number of changes in the draft: conditions, variants and payloads are counted separately. */
export function countChanges(saved: FlagDraft, draft: FlagDraft): number {
  const { filters, ...others } = changeOf(saved, draft);
  const [before, after] = [filtersOf(saved), filtersOf(draft)];
  const parts = filters
    ? Object.keys({ ...before, ...after }).filter((key) => !isSame(before[key], after[key]))
    : [];
  return Object.keys(others).length + parts.length;
}

/** Whether two JSON values say the same, whatever the order of their keys; what is undefined counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]).filter(([, item]) => item !== undefined);
}
