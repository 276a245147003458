import type { ZodType } from 'zod';
import type { ResourceTable } from '../lib/resource-table.ts';
import type { Actor, ProjectRef } from './define-route.ts';

/**
 * A kind of objects that a project stores. Its feature declares it once, in `<noun>.resource.ts`; access rules, activity
 * log, search and tags loop over all declared resources.
 */
export interface Resource {
  /** Its name in scopes, in access rules and in search: `feature_flag`. */
  readonly noun: string;
  /** Its scope in the activity log: `FeatureFlag`. */
  readonly activity: string;
  /** Where its objects are stored. Without it there is no history of one object, no search and no tags. */
  readonly table?: ResourceTable;
  /** Its history is read at `P/<path>/activity/` and `P/<path>/:id/activity/`. */
  readonly history?: {
    readonly path: string;
    /** Whether the history of a deleted object can be read. */
    readonly ofDeleted?: true;
  };
  readonly search?: ResourceSearch;
  /** Whether its objects have tags, in the column `tags`. */
  readonly tags?: true;
  /**
   * Its objects have access rules of their own, at `P/<noun>/:id/access_controls/` and `P/<noun>s/:id/…`. Only for integer
   * ids: lists leave hidden objects out by their numbers (`Access.visibility`).
   */
  readonly access?: ResourceAccess;
}

/** Expressions over the row of an object. */
export interface ResourceSearch {
  /** What it is found by first. Default: `name`. */
  readonly name?: string;
  /** Default: `description`. */
  readonly description?: string;
  /** What else must hold, so that it is found. */
  readonly where?: string;
  /** JSON that `resultOf` needs; read for what is shown only. */
  readonly details?: string;
  /** How a result shows it. Default: by name and description. */
  readonly resultOf?: (found: FoundObject) => FoundResult;
}

export interface FoundObject {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON text of the expression `details`, or null. */
  readonly details: string | null;
}

export interface FoundResult {
  readonly result_id: string;
  readonly extra_fields: Readonly<Record<string, unknown>> & { readonly name: string | null };
}

/** An object that access rules are about, as the log names it. */
export interface AccessedObject {
  readonly id: number | string;
  readonly createdBy: number | null;
  readonly name: string | null;
}

export interface ResourceAccess {
  /** The lowest level that a rule may give. Default: `none`. */
  readonly minimum?: 'viewer';
  /**
   * Finds the object that a path names. Throws not_found, and access_level for a caller from whom it is hidden. Default: by
   * its id in the table, when it is not deleted.
   */
  readonly find?: (actor: Actor, project: ProjectRef, id: string) => Promise<AccessedObject>;
  /** The object itself, of whose answer the rules are a part, and the schemas of its fields (management contract D3). */
  readonly whole?: {
    readonly fields: Readonly<Record<string, ZodType>>;
    readonly read: (actor: Actor, project: ProjectRef, id: number | string) => Promise<object>;
  };
}

/** Declares a resource; unknown fields do not compile. */
export function defineResource(resource: Resource): Resource {
  return resource;
}
