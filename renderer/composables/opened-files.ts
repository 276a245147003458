import { shallowRef } from 'vue';

/** A file of flags that was dropped on the window or opened from outside, and that the dialog of the Flags screen has yet to read. */
export const openedFlagFile = shallowRef<File | null>(null);

/** A file of events that was dropped on the window, and that the Import screen has yet to send. */
export const openedImportFile = shallowRef<File | null>(null);
