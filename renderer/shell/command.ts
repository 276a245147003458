import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

/** One line of the palette. */
export interface Command {
  id: string;
  group: string;
  label: string;
  icon: Component;
  hint?: string | undefined;
  /** Its main number, with a unit. */
  fact?: string | undefined;
  keys?: string;
  /** Other words that it is found by. */
  also?: readonly string[] | undefined;
  /** Whether its label is code, such as the key of a flag. */
  isCode?: boolean | undefined;
  /** Where it leads: it opens in a new tab too. */
  to?: RouteLocationRaw;
  run(): void;
}
