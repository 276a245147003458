import type { LiveEvent, LiveFilter } from '../../api/live.api.ts';
import { textOf } from '../../ui/event-labels.ts';
import type { PickerOption } from '../../ui/step-picker.ts';
import { needsValue, operatorsOf, type Operator } from './filters.ts';

/** A filter on its way: what is chosen so far. */
export type FilterDraft = { [Name in keyof LiveFilter]?: LiveFilter[Name] | undefined };

export type FilterStep = 'field' | 'operator' | 'value';

export interface FilterOption extends PickerOption {
  /** What choosing it adds to the draft. */
  adds: FilterDraft;
}

const OPTION_LIMIT = 60;

/** The step that a draft is at: its first open part. */
export function stepOf(draft: FilterDraft): FilterStep {
  if (!draft.field) return 'field';
  return draft.operator ? 'value' : 'operator';
}

/** The draft that edits one part of a filter; the parts after it stay where they fit. */
export function draftAt({ field, key, operator, value }: LiveFilter, part: FilterStep): FilterDraft {
  if (part === 'field') return {};
  return part === 'operator' ? { field, key, value } : { field, key, operator };
}

/** The draft one step back. */
export function previousDraft(draft: FilterDraft): FilterDraft {
  return stepOf(draft) === 'value' ? { field: draft.field, key: draft.key } : {};
}

/** Adds an option to a draft: the next draft, or the filter when nothing is open any more. */
export function takeOption(
  draft: FilterDraft,
  option: FilterOption,
): { draft: FilterDraft } | { done: LiveFilter } {
  const { field, key, operator, value } = { ...draft, ...option.adds };
  const isDone = field && operator && (value !== undefined || !needsValue(operator));
  if (!isDone) return { draft: { field, key, operator } };
  return {
    done: {
      field,
      ...(field === 'property' ? { key: key ?? '' } : {}),
      operator,
      ...(needsValue(operator) ? { value: value ?? '' } : {}),
    },
  };
}

/** What the current step offers for what was typed, best known first; names and values come from the events on screen. */
export function optionsOf(draft: FilterDraft, query: string, events: readonly LiveEvent[]): FilterOption[] {
  const typed = query.trim();
  const options = { field: fieldOptions, operator: operatorOptions, value: valueOptions }[stepOf(draft)](
    draft,
    typed,
    events,
  );
  const wanted = typed.toLowerCase();
  return options
    .filter((option) => option.id === 'typed' || option.label.toLowerCase().includes(wanted))
    .slice(0, OPTION_LIMIT);
}

function fieldOptions(_draft: FilterDraft, typed: string, events: readonly LiveEvent[]): FilterOption[] {
  const keys = byFrequency(events.flatMap((event) => Object.keys(event.properties)));
  const known = keys.map((key) => propertyOption(key));
  const isNew = typed !== '' && !keys.some((key) => key.includes(typed));
  return [
    { id: 'event', label: 'Event', hint: 'name', adds: { field: 'event' } },
    { id: 'distinct_id', label: 'Distinct ID', hint: 'person', adds: { field: 'distinct_id' } },
    ...known,
    ...(isNew ? [{ ...propertyOption(typed), id: 'typed' }] : []),
  ];
}

function propertyOption(key: string): FilterOption {
  return {
    id: `property ${key}`,
    label: key,
    hint: 'property',
    isMono: true,
    adds: { field: 'property', key },
  };
}

function operatorOptions(draft: FilterDraft): FilterOption[] {
  return operatorsOf(draft.field ?? 'event').map(({ id, label }: { id: Operator; label: string }) => ({
    id,
    label,
    adds: { operator: id },
  }));
}

function valueOptions(draft: FilterDraft, typed: string, events: readonly LiveEvent[]): FilterOption[] {
  const values = byFrequency(events.flatMap((event) => valueOf(draft, event)));
  const known = values.map((value) => ({
    id: `value ${value}`,
    label: value,
    isMono: true,
    adds: { value },
  }));
  if (typed === '' || values.includes(typed)) return known;
  return [
    { id: 'typed', label: typed, hint: 'use this value', isMono: true, adds: { value: typed } },
    ...known,
  ];
}

function valueOf({ field, key }: FilterDraft, event: LiveEvent): string[] {
  if (field === 'event') return [event.event];
  if (field === 'distinct_id') return [event.distinct_id];
  const value = event.properties[key ?? ''];
  return value === undefined || value === null ? [] : [textOf(value)];
}

function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([text]) => text);
}
