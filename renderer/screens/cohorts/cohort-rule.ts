import type {
  RuleLeaf as CohortLeaf,
  RuleTree as CohortTree,
} from '../../../server/features/cohorts/cohorts.contract.ts';
import type { FilterValue, PropertyFilter } from '../../ui/property-filter.ts';

/** One line of a group: a condition, or groups within it, which are kept as they came. */
export type RuleLine = CohortLeaf | CohortTree;

/** Some lines of which all (AND) or one (OR) must hold. */
export interface RuleGroup {
  /** Only here, to tell groups apart while they are edited. */
  id: number;
  type: 'AND' | 'OR';
  lines: readonly RuleLine[];
}

/** The draft of a cohort's rule: groups of which one (OR) or all (AND) must match. */
export interface RuleDraft {
  type: 'AND' | 'OR';
  groups: readonly RuleGroup[];
}

/** Whether a part of a rule has parts itself. */
export function isTree(part: RuleLine): part is CohortTree {
  return 'values' in part && Array.isArray(part.values);
}

/** The draft of a rule; conditions beside groups become separate groups, which does not change its members. */
export function draftOfTree(tree: CohortTree | null): RuleDraft {
  if (tree === null || tree.values.length === 0)
    return { type: 'OR', groups: [{ id: 0, type: 'AND', lines: [] }] };
  if (tree.values.every((part) => !isTree(part)))
    return { type: 'OR', groups: [{ id: 0, type: tree.type, lines: tree.values }] };
  const groups = tree.values.map((part, id): RuleGroup => {
    return isTree(part) ? { id, type: part.type, lines: part.values } : { id, type: 'AND', lines: [part] };
  });
  return { type: tree.type, groups };
}

/** The rule that a draft says; groups without a line say nothing. */
export function treeOfDraft({ type, groups }: RuleDraft): CohortTree {
  const values = groups
    .filter(({ lines }) => lines.length > 0)
    .map((group): CohortTree => ({ type: group.type, values: [...group.lines] }));
  return { type, values };
}

/** How many conditions a rule has, within groups too. */
export function countConditions(tree: CohortTree): number {
  return tree.values.reduce((sum, part) => sum + (isTree(part) ? countConditions(part) : 1), 0);
}

/** A draft with one more group, empty. */
export function withGroup(draft: RuleDraft): RuleDraft {
  const id = Math.max(-1, ...draft.groups.map((group) => group.id)) + 1;
  return { ...draft, groups: [...draft.groups, { id, type: 'AND', lines: [] }] };
}

/** A condition on a property or a cohort as the shared editor has it; `null` for what that does not edit. */
export function filterOfLeaf(leaf: CohortLeaf): PropertyFilter | null {
  if (leaf.type === 'behavioral') return null;
  const value = leaf.value as FilterValue | null | undefined;
  if (leaf.type === 'person') {
    // The editor has a word for each relation and its opposite, none for an answer turned round.
    if (leaf.negation === true) return null;
    const operator = leaf.operator ?? 'exact';
    return { type: 'person', key: leaf.key, operator, value: value ?? undefined };
  }
  const isOut = (leaf.operator === 'not_in') !== (leaf.negation === true);
  return { type: 'cohort', key: 'id', operator: isOut ? 'not_in' : 'in', value: value ?? undefined };
}

/** Such a condition as a cohort stores it. */
export function leafOfFilter({ type, key, operator, value }: PropertyFilter): CohortLeaf {
  if (type === 'cohort') return { type, key: 'id', value, negation: operator === 'not_in' };
  const base = { type: 'person', key, operator, negation: false } as const;
  return value === undefined ? base : { ...base, value };
}
