import type { Component } from 'vue';

/** One line of a `StepPicker`. */
export interface PickerOption {
  id: string;
  label: string;
  hint?: string;
  isMono?: boolean;
  icon?: Component;
}
