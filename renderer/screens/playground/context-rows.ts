import type { FlagExplanation } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import type { PropertyTrace } from '../../../server/conditions/flags/trace.contract.ts';

/** A property of a user or group as the context has it. */
export interface ContextRow {
  name: string;
  /** `undefined`: it has none. */
  value: unknown;
  isChanged: boolean;
  /** Whether a flag uses it. */
  isAsked: boolean;
}

/** With fewer rows than this, further stored properties are shown without unfolding. */
const FEW = 6;

type Properties = Readonly<Record<string, unknown>>;

/** The rows of the list of properties, visible and collapsed: first those used by flags and edited ones. */
export function contextRows(
  stored: Properties,
  changed: Properties,
  asked: ReadonlySet<string>,
): { first: ContextRow[]; more: ContextRow[] } {
  const names = new Set([...asked, ...Object.keys(changed), ...Object.keys(stored)]);
  const rows = [...names].map((name): ContextRow => {
    const isChanged = Object.hasOwn(changed, name);
    const source = isChanged ? changed : stored;
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    return { name, value, isChanged, isAsked: asked.has(name) };
  });
  const first = rows.filter(({ isAsked, isChanged }) => isAsked || isChanged);
  const rest = rows
    .filter((row) => !first.includes(row))
    .toSorted((a, b) => Number(a.name.startsWith('$')) - Number(b.name.startsWith('$')));
  const fill = rest.filter(({ name }) => !name.startsWith('$')).slice(0, Math.max(0, FEW - first.length));
  return { first: [...first, ...fill], more: rest.filter((row) => !fill.includes(row)) };
}

/** The names of properties that flags ask of persons (`null`) or of groups of a type, each once, in their order. */
export function askedProperties(explanation: FlagExplanation, groupType: string | null): Set<string> {
  const names = new Set<string>();
  for (const { conditions } of Object.values(explanation.traces)) {
    for (const { group, properties } of conditions) {
      if ((group?.type ?? null) === groupType) addNames(properties, names);
    }
  }
  return names;
}

function addNames(properties: readonly PropertyTrace[], names: Set<string>): void {
  for (const { type, key, inside } of properties) {
    const isOwn = type === 'person' || type === 'group';
    if (isOwn && key !== 'distinct_id' && key !== '$group_key') names.add(key);
    addNames(inside, names);
  }
}
