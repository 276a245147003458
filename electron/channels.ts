import { z } from 'zod';

/**
 * Every channel between the console's page and the shell: its name, the schema of its one argument and of its result.
 * The preload makes a function of each, the shell answers each, and the console takes its types from here.
 */
export const channels = {
  /** The console's theme, so that the frame, menus and the next window's first paint match it. */
  setTheme: { argument: z.enum(['system', 'light', 'dark']), result: z.undefined() },
  /** Shows the data folder, and no other, in the system's file manager. */
  openDataFolder: { argument: z.null(), result: z.undefined() },
} as const;

export type Channels = typeof channels;
export type ChannelName = keyof Channels;
export type Argument<Name extends ChannelName> = z.infer<Channels[Name]['argument']>;
export type Result<Name extends ChannelName> = z.infer<Channels[Name]['result']>;
export type Theme = Argument<'setTheme'>;

/** What the console finds as `window.burrow` in the desktop app, and only there. */
export type Bridge = {
  readonly [Name in ChannelName]: (argument: Argument<Name>) => Promise<Result<Name>>;
};
