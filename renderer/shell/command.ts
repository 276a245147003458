import type { Component } from 'vue';

/** One line of the palette. */
export interface Command {
  id: string;
  group: string;
  label: string;
  icon: Component;
  hint?: string | undefined;
  keys?: string;
  run(): void;
}
