import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, ref, type EffectScope } from 'vue';
import type { PickerOption } from '../ui/step-picker.ts';
import { useNarrowedOptions, type LoadedOptions } from './use-narrowed-options.ts';

let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers();
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

const named = (...labels: string[]): PickerOption[] => labels.map((label) => ({ id: label, label }));

/** A picker that is open; `answer` gives the answers to its first request. */
async function openPicker(beyond: (typed: string) => PickerOption[] = () => []) {
  const isOpen = ref(false);
  const query = ref('');
  const searches: string[] = [];
  let answer!: (loaded: LoadedOptions<PickerOption>) => void;
  const first = new Promise<LoadedOptions<PickerOption>>((resolve) => (answer = resolve));
  const load = (typed: string): Promise<LoadedOptions<PickerOption>> => {
    if (typed === '') return first;
    searches.push(typed);
    return Promise.resolve({ options: beyond(typed), isCut: false });
  };
  const options = scope.run(() => useNarrowedOptions({ isOpen, query, load }))!;
  isOpen.value = true;
  await nextTick();
  const settle = async () => {
    await nextTick();
    await vi.advanceTimersByTimeAsync(1_000);
  };
  return { ...options, query, searches, answer, settle };
}

test('what is typed before a cut list has come is searched for on the server', async () => {
  const picker = await openPicker((typed) => named(`${typed} beyond`));
  picker.query.value = 'plan';
  await picker.settle();
  picker.answer({ options: named('plan', 'amount'), isCut: true });
  await picker.settle();
  expect(picker.searches).toEqual(['plan']);
  expect(picker.found.value.map(({ label }) => label)).toEqual(['plan', 'plan beyond']);
});

test('a whole list is never searched for on the server', async () => {
  const picker = await openPicker();
  picker.query.value = 'plan';
  picker.answer({ options: named('plan', 'amount'), isCut: false });
  await picker.settle();
  picker.query.value = 'amo';
  await picker.settle();
  expect(picker.searches).toEqual([]);
  expect(picker.found.value.map(({ label }) => label)).toEqual(['amount']);
});

test('a long list is cut, and says how many more there are', async () => {
  const picker = await openPicker();
  picker.answer({ options: named(...Array.from({ length: 100 }, (_, at) => `plan ${at}`)), isCut: false });
  await picker.settle();
  expect([picker.found.value.length, picker.left.value]).toEqual([40, 60]);
  picker.query.value = '99';
  await picker.settle();
  expect([picker.found.value.length, picker.left.value]).toEqual([1, 0]);
});

test('words are found in any order, and names that begin with what was typed come first', async () => {
  const picker = await openPicker();
  picker.answer({ options: named('the plan', 'plan of the year', 'amount'), isCut: false });
  await picker.settle();
  picker.query.value = 'plan';
  await picker.settle();
  expect(picker.found.value.map(({ label }) => label)).toEqual(['plan of the year', 'the plan']);
  picker.query.value = 'year plan';
  await picker.settle();
  expect(picker.found.value.map(({ label }) => label)).toEqual(['plan of the year']);
});
