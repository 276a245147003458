import { stringifyExactly } from './exact-number.contract.ts';
/** One field of an object that changed. */
export interface Change {
  /** The scope of the object. */
  readonly type: string;
  readonly action: 'created' | 'changed' | 'deleted';
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** An entry of the activity log, as it is written. */
export interface NewActivity {
  readonly id: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly organizationId: string;
  /** null: a change of the organization or of a person of it. */
  readonly projectId: number | null;
  /** null: the server itself. */
  readonly userId: number | null;
  /** `created`, `updated`, `deleted`, `restored`, or a word of the object's own such as `sharing enabled`. */
  readonly activity: string;
  /** The kind of the object: `activity` of its resource, or a word of its own such as `Organization`. */
  readonly scope: string;
  readonly itemId: string;
  readonly name: string | null;
  readonly shortId?: string;
  readonly changes?: readonly Change[];
}

/** The fields of `after` that differ from `before`, by their JSON; fields that `after` lacks count as unchanged. */
export function changesBetween(
  type: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Change[] {
  return Object.entries(after).flatMap(([field, value]): Change[] => {
    // A setting may be named as what every object inherits: `toString`.
    const old = (Object.hasOwn(before, field) ? before[field] : null) ?? null;
    const wanted = value ?? null;
    if (stringifyExactly(old) === stringifyExactly(wanted)) return [];
    const action = old === null ? 'created' : wanted === null ? 'deleted' : 'changed';
    return [{ type, action, field, before: old, after: wanted }];
  });
}
