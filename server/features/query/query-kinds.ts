import { fail } from '../../errors.ts';
import { actorsKind, personsKind } from './kinds/actors/index.ts';
import { databaseSchemaKind } from './kinds/database-schema/index.ts';
import { eventsKind } from './kinds/events/index.ts';
import { funnelsKind } from './kinds/funnels/index.ts';
import { hogqlKind } from './kinds/hogql/index.ts';
import { hogqlMetadataKind } from './kinds/hogql-metadata/index.ts';
import { lifecycleKind } from './kinds/lifecycle/index.ts';
import { retentionKind } from './kinds/retention/index.ts';
import { pathsKind } from './kinds/paths/index.ts';
import { stickinessKind } from './kinds/stickiness/index.ts';
import { trendsKind } from './kinds/trends/index.ts';
import type { QueryKind } from './query-kind.ts';
import { WRAPPER_KINDS } from './query.contract.ts';

/** Every kind of query that can be answered, one line each. */
const KINDS: readonly QueryKind[] = [
  databaseSchemaKind,
  hogqlMetadataKind,
  hogqlKind,
  eventsKind,
  actorsKind,
  personsKind,
  trendsKind,
  funnelsKind,
  pathsKind,
  retentionKind,
  stickinessKind,
  lifecycleKind,
];

const BY_NAME: ReadonlyMap<string, QueryKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

/** The kind of this name. Throws invalid_input, with the names of those that are there. */
export function findKind(name: unknown): QueryKind {
  const kind = typeof name === 'string' ? BY_NAME.get(name) : undefined;
  if (kind !== undefined) return kind;
  const names = [...BY_NAME.keys(), ...Object.keys(WRAPPER_KINDS)].toSorted().join(', ');
  const problem =
    typeof name === 'string'
      ? `There are no queries of the kind '${name.slice(0, 60)}'.`
      : 'A query has a `kind`.';
  throw fail('invalid_input', { detail: `${problem} It is one of: ${names}.` });
}
