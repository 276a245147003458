import { inject, onScopeDispose, provide, shallowRef, type InjectionKey, type ShallowRef } from 'vue';

/** A day that is pointed at in one of several charts. */
interface HeldDay {
  day: string;
  /** How long the time is that begins there: charts of another interval have no such place. */
  interval: string;
  /** The chart that it is pointed at in. */
  by: symbol;
}

const KEY: InjectionKey<ShallowRef<HeldDay | null>> = Symbol('the day that is pointed at');

/** Lets all charts within show the day that is pointed at in one of them. */
export function shareHeldDay(): void {
  provide(KEY, shallowRef(null));
}

/** The day that is pointed at in another chart of the same page, and how a chart says which one is in itself. */
export function useHeldDay() {
  const shared = inject(KEY, null);
  const by = Symbol('chart');

  function hold(day: string | null, interval: string): void {
    if (!shared) return;
    if (day !== null) shared.value = { day, interval, by };
    else if (shared.value?.by === by) shared.value = null;
  }

  /** The place of that day among those of a chart; `null` where it has none. */
  function placeAmong(days: readonly unknown[], interval: string): number | null {
    const held = shared?.value;
    if (!held || held.by === by || held.interval !== interval) return null;
    const place = days.indexOf(held.day);
    return place === -1 ? null : place;
  }

  onScopeDispose(() => hold(null, ''));
  return { hold, placeAmong };
}
