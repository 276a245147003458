/** Channels between the find bar's page and the shell. */
export const FIND_CHANNELS = {
  /** To the shell: the text, and `first`, `next` or `previous`. */
  find: 'find-text',
  /** To the shell: the bar is closed. */
  close: 'find-close',
  /** To the bar: "3 of 12". */
  count: 'find-count',
  /** To the bar: takes the keyboard, and searches for what it holds, else for the last text. */
  focus: 'find-focus',
} as const;
