import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { SearchResults } from '../../server/features/search/search.contract.ts';

/**
 * A kind of objects as the console shows it. The folder of its screens declares it in `resource.ts`; the palette, deleted
 * items, the activity log and the scopes of API keys loop over all of them. It imports no values from this file, which
 * imports it.
 */
export interface ConsoleResource {
  /** Its name in scopes: `feature_flag`. */
  readonly noun: string;
  /** Its name in the activity log: `FeatureFlag`. */
  readonly activity?: string;
  readonly one: string;
  readonly many: string;
  readonly icon?: Component;
  /** Its place among all. */
  readonly order: number;
  /** Its choice in the filter of the activity log; resources with the same one are one choice. */
  readonly filter?: string;
  /** What an API key with its scopes can do; `null`: there is nothing to write. */
  readonly scope?: { readonly label?: string; readonly read: string; readonly write: string | null };
  /** Commands that create one. */
  readonly create?: readonly CreateCommand[];
  readonly deleted?: {
    /** What is restored with it, in one sentence. */
    readonly note: string;
    restore(projectId: number, id: number): Promise<unknown>;
  };
  /** The route of its list, which takes `search` and, where objects can be restored, `deleted`. */
  readonly list?: string;
  /** Shows an object that the search of the project has found, in the palette. */
  found?(projectId: number, result: SearchResult): FoundObject;
  /** Finds objects for the palette that the search of the project does not have. */
  find?(projectId: number, search: string, limit: number): Promise<FoundObjects>;
  /** The main number of a found object with its unit; empty for none. It is loaded after the object is shown. */
  fact?(projectId: number, object: FoundObject): Promise<string>;
  /** The same of several in one request, by their IDs. */
  facts?(projectId: number, objects: readonly FoundObject[]): Promise<ReadonlyMap<string, string>>;
}

export type SearchResult = SearchResults['results'][number];

/** A line of the palette that opens the form for a new object. */
export interface CreateCommand {
  /** Default: `New` and the resource's name. */
  readonly label?: string;
  readonly icon?: Component;
  readonly to: { name: string; params?: Record<string, string>; query?: Record<string, string> };
  readonly isForAdmins?: true;
}

export interface FoundObject {
  id: string;
  label: string;
  hint?: string | undefined;
  /** Default: that of its resource. */
  icon?: Component;
  /** Whether its label is code, such as the key of a flag. */
  isCode?: true;
  to: RouteLocationRaw;
  /** Which list it is in, where its resource has several: parameters of the path. */
  inList?: Readonly<Record<string, string | number>>;
}

export interface FoundObjects {
  objects: FoundObject[];
  /** `null`: there are more, and counting them would take too long. */
  count: number | null;
}

/** A resource whose deleted objects can be restored. */
export type RestorableResource = ConsoleResource & Required<Pick<ConsoleResource, 'activity' | 'deleted'>>;

/** Only the API has these. */
const WITHOUT_SCREENS: readonly ConsoleResource[] = [
  {
    noun: 'survey',
    activity: 'Survey',
    one: 'survey',
    many: 'surveys',
    order: 160,
    filter: 'Surveys',
    scope: { read: 'view them', write: 'create, edit, delete' },
  },
  {
    noun: 'early_access_feature',
    activity: 'EarlyAccessFeature',
    one: 'early access feature',
    many: 'early access features',
    order: 161,
    filter: 'Early access features',
    scope: { label: 'Early access', read: 'view features', write: 'create, edit, delete' },
  },
];

const modules = import.meta.glob<Record<string, ConsoleResource>>('../screens/*/resource.ts', {
  eager: true,
});

/** Every resource that the console shows, in one order for all lists. */
export const RESOURCES: readonly ConsoleResource[] = [
  ...Object.values(modules).flatMap((module) => Object.values(module)),
  ...WITHOUT_SCREENS,
].toSorted((a, b) => a.order - b.order);

/** The name of many, as a title: `Flags`. */
export function titleOfMany({ many }: Pick<ConsoleResource, 'many'>): string {
  return many.charAt(0).toUpperCase() + many.slice(1);
}
