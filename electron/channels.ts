import { z } from 'zod';

/** Screens that a link can name: `burrow://live`. */
export const LINK_SCREENS = [
  'home',
  'live',
  'dashboards',
  'insights',
  'sql',
  'persons',
  'flags',
  'playground',
  'cohorts',
  'data',
  'actions',
  'annotations',
  'activity',
  'ingestion',
  'connect',
  'settings',
  'storage',
] as const;

/** Things that a link can name with their id: `burrow://dashboard/7`. */
export const LINK_THINGS = ['action', 'cohort', 'dashboard', 'flag', 'insight', 'person', 'shared'] as const;

export type LinkScreen = (typeof LINK_SCREENS)[number];
export type LinkThing = (typeof LINK_THINGS)[number];

const optionName = z.enum(['port', 'host', 'memory-limit', 'log-level']);

/** By name; null: back to the default. */
export const optionChanges = z.partialRecord(optionName, z.string().max(200).nullable());
export type OptionChanges = z.infer<typeof optionChanges>;

/** The options of the server, and why changes of them were not written. */
export const serverOptions = z.object({
  options: z.array(
    z.object({
      name: optionName,
      /** What the server runs with. */
      running: z.string(),
      /** What its next start takes; bytes for a size. */
      value: z.string(),
      default: z.string(),
      /** `--port`, `BURROW_PORT` or `settings.json`; null: it is the default. */
      source: z.string().nullable(),
    }),
  ),
  /** Null: it is about no single option. */
  problems: z.array(z.object({ name: optionName.nullable(), text: z.string() })),
});
export type ServerOptions = z.infer<typeof serverOptions>;

/** The settings of the app itself, on this computer. */
const appSettings = z.object({
  startsAtLogin: z.boolean(),
  /** Null: closing the last window asks. */
  keepsCollecting: z.boolean().nullable(),
  /** From the next start. */
  hasTray: z.boolean(),
  notifies: z.boolean(),
  /** From the next start. */
  usesGpu: z.boolean(),
});
export type AppSettings = z.infer<typeof appSettings>;

/**
 * Every channel from the console's page to the shell: its name, the schema of its one argument and of its result.
 * The preload makes a function of each, the shell answers each, and the console takes its types from here.
 */
export const channels = {
  /** The console's theme, so that the frame, menus and the next window's first paint match it. */
  setTheme: { argument: z.enum(['system', 'light', 'dark']), result: z.undefined() },
  /** Shows the data folder, and no other, in the system's file manager. */
  openDataFolder: { argument: z.null(), result: z.undefined() },
  /** Whether the page has unsaved changes: closing its window or quitting shows a confirmation first. */
  setUnsaved: { argument: z.boolean(), result: z.undefined() },
  /** Signs the page in again without a reload; false when the server returned no sign-in link. */
  signIn: { argument: z.undefined(), result: z.boolean() },
  /** Offers to restore a backup that was dropped on the page; the preload takes its path from the `File`. */
  openBackup: { argument: z.string().min(1), result: z.undefined() },
  /** Shows a file that was saved in this run in the system's file manager, by the number of `showSaved`. */
  showInFolder: { argument: z.int().nonnegative(), result: z.undefined() },
  /** The app's settings after these changes; with none, as they are. */
  changeAppSettings: { argument: appSettings.partial(), result: appSettings },
  /** The server's options after these changes; they count from its next start. */
  changeServerOptions: { argument: optionChanges, result: serverOptions },
  /** The data folder, and other ones that were opened before. */
  dataFolders: {
    argument: z.null(),
    result: z.object({
      current: z.string().nullable(),
      recent: z.array(z.object({ folder: z.string(), isMissing: z.boolean() })),
    }),
  },
  /** Opens another data folder in the place of this one, by a dialog or one of the recent ones; false when the user canceled. */
  switchDataFolder: {
    argument: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['choose', 'new']) }),
      z.object({ kind: z.literal('recent'), folder: z.string() }),
    ]),
    result: z.boolean(),
  },
  /** Whether this window shows a server that another Burrow runs, which goes on when this app quits. */
  isAttached: { argument: z.null(), result: z.boolean() },
  /** Restarts the server, so that its changed options count; false when a dialog about unsaved changes was canceled. */
  restartServer: { argument: z.null(), result: z.boolean() },
} as const;

/** Every request of the shell to a page: the schemas of its argument and of the page's answer. */
export const pageChannels = {
  /** Saves what the page has not saved yet; answers whether it is saved now. */
  save: { argument: z.undefined(), result: z.boolean() },
  /** Goes to a path of the console, after a question about unsaved changes; answers true once that has begun. */
  goTo: { argument: z.string().startsWith('/link/'), result: z.boolean() },
  /** Opens the dialog that imports a file of feature flags, which shows what would change; answers true once it is on its way. */
  openFlagFile: { argument: z.object({ name: z.string(), text: z.string() }), result: z.boolean() },
  /** A file of this page was saved: its name, and the number that `showInFolder` takes. Answers true once it is shown. */
  showSaved: { argument: z.object({ id: z.int(), name: z.string() }), result: z.boolean() },
  /** Does nothing: once it is answered, everything that the page reported before has arrived. */
  flush: { argument: z.undefined(), result: z.undefined() },
  /** Opens the settings of the app, unless the user keeps changes that are not saved. */
  showAppSettings: { argument: z.undefined(), result: z.boolean() },
  /** How the server of this page fares, whenever that changes. */
  showServer: {
    argument: z.object({
      phase: z.enum(['running', 'silent', 'starting', 'failed']),
      /** What a server that starts is doing: "Replaying 390 MB of the write-ahead log"; or why it cannot. */
      step: z.string().nullable(),
    }),
    result: z.undefined(),
  },
} as const;

export type Channels = typeof channels;
export type ChannelName = keyof Channels;
export type Argument<Name extends ChannelName> = z.infer<Channels[Name]['argument']>;
export type Result<Name extends ChannelName> = z.infer<Channels[Name]['result']>;
export type Theme = Argument<'setTheme'>;

export type PageChannels = typeof pageChannels;
export type PageChannelName = keyof PageChannels;
export type PageArgument<Name extends PageChannelName> = z.infer<PageChannels[Name]['argument']>;
export type PageResult<Name extends PageChannelName> = z.infer<PageChannels[Name]['result']>;

/** What the console finds as `window.burrow` in the desktop app, and only there. */
export type Bridge = {
  readonly [Name in Exclude<ChannelName, 'openBackup'>]: (argument: Argument<Name>) => Promise<Result<Name>>;
} & {
  /** Takes the `File` that a user dropped, and nothing that a page could make up. */
  openBackup(file: object): Promise<void>;
  /** Answers one kind of request of the shell; a later listener replaces the one before it. */
  listen<Name extends PageChannelName>(
    name: Name,
    listener: (argument: PageArgument<Name>) => PageResult<Name> | Promise<PageResult<Name>>,
  ): void;
};

/** The channel on which a page answers the request `id` of the shell. */
export const PAGE_ANSWER = 'page-answer';
