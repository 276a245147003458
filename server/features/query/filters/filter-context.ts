import type { KindContext } from '../query-kind.ts';

/** What compiling filters of a query needs to know; a KindContext has all of it but the rows. */
export interface FilterContext extends Pick<
  KindContext,
  'now' | 'propertyType' | 'cohort' | 'action' | 'parse' | 'timezone'
> {
  /** Which rows are filtered. */
  readonly rows: 'events' | 'persons';
  /** A name of the rows' table in the query, from the name of a column and what follows. */
  path(...chain: string[]): string[];
}

/** Filters over events, or persons, that stand under their own names in the query, or under an alias. */
export function filterContext(
  context: KindContext,
  { rows = 'events', alias }: { rows?: FilterContext['rows']; alias?: string } = {},
): FilterContext {
  return { ...context, rows, path: (...chain) => (alias === undefined ? chain : [alias, ...chain]) };
}
