import { wordsOf, type FilterNames } from '../../ui/property-filter.ts';
import { isSame, type FlagDraft } from './flag-draft.ts';

/** A part of a flag that two users may change concurrently. */
interface Part {
  id: string;
  label: string;
  fields: readonly (keyof FlagDraft)[];
  words(draft: FlagDraft, names: FilterNames): string;
}

const RUNTIMES = { all: 'all', client: 'client only', server: 'server only' };

const PARTS: readonly Part[] = [
  { id: 'key', label: 'Key', fields: ['key'], words: ({ key }) => key },
  { id: 'name', label: 'Description', fields: ['name'], words: ({ name }) => name || '(none)' },
  { id: 'active', label: 'Enabled', fields: ['active'], words: ({ active }) => (active ? 'on' : 'off') },
  { id: 'tags', label: 'Tags', fields: ['tags'], words: ({ tags }) => tags.join(', ') || '(none)' },
  { id: 'sets', label: 'Release conditions', fields: ['sets', 'groupTypeIndex'], words: setsLabel },
  { id: 'answer', label: 'Type', fields: ['answer', 'variants', 'payload'], words: answerLabel },
  {
    id: 'runtime',
    label: 'Evaluation runtime',
    fields: ['runtime'],
    words: ({ runtime }) => RUNTIMES[runtime],
  },
  {
    id: 'continuity',
    label: 'Persist across login',
    fields: ['continuity', 'bucketing'],
    words: ({ continuity, bucketing }) =>
      `${continuity ? 'on' : 'off'}, bucket by ${bucketing === 'device_id' ? 'device' : 'distinct ID'}`,
  },
  { id: 'rest', label: 'Other settings', fields: ['rest'], words: ({ rest }) => JSON.stringify(rest) },
];

/** A change that another user saved to a part while it was edited here, as labels. */
export interface Conflict {
  id: string;
  label: string;
  mine: string;
  theirs: string;
  /** It was changed here too. */
  isBoth: boolean;
}

/** The parts that are not any more as they were when editing began. */
export function conflictsOf(
  { base, mine, theirs }: Record<'base' | 'mine' | 'theirs', FlagDraft>,
  names: FilterNames = {},
): Conflict[] {
  return PARTS.filter((part) => !isPartSame(part, base, theirs) && !isPartSame(part, mine, theirs)).map(
    (part) => ({
      id: part.id,
      label: part.label,
      mine: part.words(mine, names),
      theirs: part.words(theirs, names),
      isBoth: !isPartSame(part, base, mine),
    }),
  );
}

/** The own draft with some parts of the other user's version. */
export function mergeDrafts(mine: FlagDraft, theirs: FlagDraft, taken: ReadonlySet<string>): FlagDraft {
  const fields = PARTS.filter(({ id }) => taken.has(id)).flatMap((part) => part.fields);
  return { ...mine, ...Object.fromEntries(fields.map((field) => [field, theirs[field]])) };
}

function isPartSame({ fields }: Part, a: FlagDraft, b: FlagDraft): boolean {
  return fields.every((field) => isSame(withoutIds(a[field]), withoutIds(b[field])));
}

/** Sets and variants get new ids each time a flag is read. */
function withoutIds(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) =>
    typeof item === 'object' && item !== null ? { ...item, id: undefined } : item,
  );
}

function setsLabel({ sets }: FlagDraft, names: FilterNames): string {
  const lines = sets.map(({ properties, rollout, variant }) => {
    const conditions = properties.map((one) => Object.values(wordsOf(one, names)).filter(Boolean).join(' '));
    const who = conditions.length === 0 ? 'everyone' : conditions.join(' and ');
    return `${rollout}% of ${who}${variant === null ? '' : `, all ${variant}`}`;
  });
  return lines.join('\n');
}

function answerLabel({ answer, variants, payload }: FlagDraft): string {
  if (answer !== 'variants') return `${answer === 'value' ? 'remote config' : 'boolean'} ${payload}`.trim();
  return variants.map(({ key, share, payload: text }) => `${key} ${share}% ${text}`.trim()).join('\n');
}
