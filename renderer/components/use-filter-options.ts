import { readFlagDate } from '../../server/lib/relative-date.contract.ts';
import { useTimeoutFn } from '@vueuse/core';
import { computed, shallowRef, watch, type Ref } from 'vue';
import { problemOfPattern } from '../composables/check-pattern.ts';
import { useLookup } from '../composables/use-lookup.ts';
import { operatorsOf, stepOf, type FilterDraft, type FilterOption } from '../ui/property-filter-steps.ts';
import { operatorOf, valueLabelOf } from '../ui/property-filter.ts';
import { dateOf } from '../ui/value-kind.ts';
import { createFilterSuggestions, type FilterSources, type KnownValue } from './filter-suggestions.ts';

interface Asked {
  projectId: number;
  sources: () => FilterSources;
  draft: Readonly<Ref<FilterDraft>>;
  query: Readonly<Ref<string>>;
  isOpen: Readonly<Ref<boolean>>;
}

/** Milliseconds without a key press before the server is queried. */
const TYPING_PAUSE = 120;

/** The options of each step for the typed text, and why the typed value would match no persons. */
export function useFilterOptions({ projectId, sources, draft, query, isOpen }: Asked) {
  const { problem: lookupProblem, lookUp } = useLookup();
  const suggestions = createFilterSuggestions(projectId, lookUp);
  const options = shallowRef<readonly FilterOption[]>([]);
  const warning = shallowRef('');
  let latest = 0;

  const { start: offerLater, stop } = useTimeoutFn(() => void offer(), TYPING_PAUSE, { immediate: false });

  watch([draft, isOpen], () => void offer());
  watch(query, () => offerLater());

  async function offer(): Promise<void> {
    stop();
    latest += 1;
    const number = latest;
    const typed = query.value.trim();
    const found = isOpen.value ? await optionsFor(draft.value, typed) : { options: [], warning: '' };
    if (number !== latest) return;
    options.value = found.options;
    warning.value = found.warning;
  }

  async function optionsFor(
    now: FilterDraft,
    typed: string,
  ): Promise<{ options: FilterOption[]; warning: string }> {
    const step = stepOf(now);
    if (step === 'value') return valueOptions(now, typed);
    const found =
      step === 'subject' ? await suggestions.subjects(sources(), typed) : operatorOptions(now, typed);
    return { options: found, warning: '' };
  }

  function operatorOptions({ subject }: FilterDraft, typed: string): FilterOption[] {
    const possible = sources().operators;
    return operatorsOf(subject!, suggestions.typeOf(subject!))
      .filter((operator) => !possible || possible.includes(operator))
      .filter(({ label }) => label.includes(typed.toLowerCase()))
      .map(({ id, label }) => ({ id, label, adds: { operator: id } }));
  }

  async function valueOptions(
    now: FilterDraft,
    typed: string,
  ): Promise<{ options: FilterOption[]; warning: string }> {
    const { subject, operator: id, values } = now;
    const isPattern = id!.endsWith('regex');
    const problem =
      typed === '' ? null : isPattern ? await problemOfPattern(typed) : problemOfValue(id!, typed);
    const known = (await knownValues(now, typed)).filter(({ value }) => problemOfValue(id!, value) === null);
    // A pattern that matches no persons may be intended; an invalid number may not.
    const isTypable = typed !== '' && (problem === null || isPattern) && subject!.type !== 'flag';
    const isNew = isTypable && !known.some(({ value }) => value === typed);
    const isMany = operatorOf(id!).arity === 'many' && values.length > 0;
    return {
      options: [
        ...(isMany && typed === '' ? [endOption(now)] : []),
        ...(isNew ? [valueOption({ value: typed, hint: 'use this value' }, 'typed')] : []),
        ...known.filter(({ value }) => !values.includes(value)).map((one) => valueOption(one)),
        ...(isMany ? values.map(dropOption) : []),
      ],
      warning: problem ?? '',
    };
  }

  async function knownValues({ subject, operator }: FilterDraft, typed: string): Promise<KnownValue[]> {
    if (operator!.endsWith('regex')) return [];
    if (operatorOf(operator!).fits === 'date')
      return RELATIVE_DATES.map((value) => ({ value, hint: valueLabelOf(operator!, value) ?? '' }));
    const found = await suggestions.values(subject!, typed);
    return found.filter(({ value }) => value.toLowerCase().includes(typed.toLowerCase()));
  }

  return {
    options,
    warning: computed(() => warning.value || (stepOf(draft.value) === 'operator' ? '' : lookupProblem.value)),
  };
}

function valueOption({ value, hint }: KnownValue, id = `value ${value}`): FilterOption {
  return { id, label: value || '(empty)', hint, isMono: true, adds: { value } };
}

function dropOption(value: string): FilterOption {
  return {
    id: `drop ${value}`,
    label: value || '(empty)',
    hint: 'selected',
    isMono: true,
    adds: { drops: value },
  };
}

function endOption({ operator, values }: FilterDraft): FilterOption {
  return { id: 'end', label: 'Apply', hint: valueLabelOf(operator!, values) ?? '', adds: 'end' };
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const VERSION = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const VERSION_PATTERN = /^v?\d+(?:\.\d+)?\.[x*]$/i;

/** Why a relation can never hold for this value, as a sentence; `null` when it can (ingestion contract P-5, P-7, P-8). */
function problemOfValue(operator: string, text: string): string | null {
  const { fits } = operatorOf(operator);
  if (fits === 'number' && !NUMBER.test(text.trim())) return 'A number looks like 42 or -1.5.';
  if (fits === 'date' && readFlagDate(text) === null && !dateOf(text))
    return 'A date looks like 2026-03-04, or like -7d for 7 days ago.';
  if (operator === 'semver_wildcard')
    return VERSION_PATTERN.test(text) ? null : 'It looks like 3.8.* or 3.*.';
  if (fits === 'version' && !VERSION.test(text)) return 'A version looks like 3.8.0.';
  return null;
}

/** Frequent dates, relative to the time of an evaluation. */
const RELATIVE_DATES: readonly string[] = ['-1d', '-7d', '-14d', '-30d', '-90d', '-1y'];
