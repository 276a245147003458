import { computed, shallowRef, watch, type Ref } from 'vue';
import { problemOfPattern } from '../composables/check-pattern.ts';
import { useLookup } from '../composables/use-lookup.ts';
import { problemOfValue, RELATIVE_DATES } from '../ui/filter-value-checks.ts';
import { operatorsOf, stepOf, type FilterDraft, type FilterOption } from '../ui/property-filter-steps.ts';
import { operatorOf, valueWordsOf } from '../ui/property-filter.ts';
import { createFilterSuggestions, type FilterSources, type KnownValue } from './filter-suggestions.ts';

interface Asked {
  projectId: number;
  sources: () => FilterSources;
  draft: Readonly<Ref<FilterDraft>>;
  query: Readonly<Ref<string>>;
  isOpen: Readonly<Ref<boolean>>;
}

/** Milliseconds without a key after which the server is asked. */
const TYPING_PAUSE = 120;

/** What each step offers for what was typed, and why the typed value would match nobody. */
export function useFilterOptions({ projectId, sources, draft, query, isOpen }: Asked) {
  const { problem: lookupProblem, lookUp } = useLookup();
  const suggestions = createFilterSuggestions(projectId, lookUp);
  const options = shallowRef<readonly FilterOption[]>([]);
  const warning = shallowRef('');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  watch([draft, isOpen], () => void offer());
  watch(query, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void offer(), TYPING_PAUSE);
  });

  async function offer(): Promise<void> {
    clearTimeout(timer);
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
    // A pattern that matches nobody may be meant all the same; a number that is none may not.
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
      return RELATIVE_DATES.map((value) => ({ value, hint: valueWordsOf(operator!, value) ?? '' }));
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
  return { id: 'end', label: 'Apply', hint: valueWordsOf(operator!, values) ?? '', adds: 'end' };
}
