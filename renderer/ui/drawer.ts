import type { InjectionKey } from 'vue';

/** Opens the drawer with the navigation, which phones have in place of a sidebar. Provided by the shell only. */
export const OPEN_DRAWER: InjectionKey<() => void> = Symbol('open drawer');
