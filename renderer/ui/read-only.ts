import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue';

const READ_ONLY: InjectionKey<ComputedRef<boolean>> = Symbol('read only');

/** Provides to all descendants whether they are read-only. */
export function provideReadOnly(isReadOnly: () => boolean): void {
  provide(READ_ONLY, computed(isReadOnly));
}

/** Whether this part is only looked at; for those that a disabled `fieldset` does not reach, as sliders. */
export function useReadOnly(): ComputedRef<boolean> {
  return inject(READ_ONLY, () => computed(() => false), true);
}
