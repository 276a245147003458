import type { CompiledFlag } from './compiled-flag.ts';
import type { FlagContext } from './flag-context.ts';

/** What was computed for a subject already, because several flags ask for it. */
export interface Known {
  readonly cohorts: Map<number, boolean>;
  readonly flags: Map<CompiledFlag, boolean | string>;
}

const known = new WeakMap<FlagContext, Known>();

/** By the object itself: a context never changes. */
export function knownOf(context: FlagContext): Known {
  let found = known.get(context);
  if (found === undefined) {
    found = { cohorts: new Map(), flags: new Map() };
    known.set(context, found);
  }
  return found;
}
