import { inject, onScopeDispose, provide, shallowRef, type InjectionKey, type ShallowRef } from 'vue';

/** The interval under the pointer in one of several charts. */
interface HeldDay {
  day: string;
  /** The unit of its length: charts of another unit do not show it. */
  interval: string;
  /** The chart under the pointer. */
  by: symbol;
}

const KEY: InjectionKey<ShallowRef<HeldDay | null>> = Symbol('held day');

/** Lets all charts below this component show the day that is under the pointer in one of them. */
export function shareHeldDay(): void {
  provide(KEY, shallowRef(null));
}

/** Reads the day that is under the pointer in another chart of the page, and sets it for the others. */
export function useHeldDay() {
  const shared = inject(KEY, null);
  const by = Symbol('chart');

  function hold(day: string | null, interval: string): void {
    if (!shared) return;
    if (day !== null) shared.value = { day, interval, by };
    else if (shared.value?.by === by) shared.value = null;
  }

  /** The index of that day in a chart; `null` for none. */
  function placeAmong(days: readonly unknown[], interval: string): number | null {
    const held = shared?.value;
    if (!held || held.by === by || held.interval !== interval) return null;
    const place = days.indexOf(held.day);
    return place === -1 ? null : place;
  }

  onScopeDispose(() => hold(null, ''));
  return { hold, placeAmong };
}
