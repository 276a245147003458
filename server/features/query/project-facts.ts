import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import type { PropertyKind, PropertyType } from '../../hogql/hogql-context.ts';
import { listTypedProperties } from '../definitions/index.ts';
import { listGroupTypesJson } from '../groups/index.ts';
import type { StoreState } from '../../warehouse/duckdb/event-store.ts';
import type { HotColumn } from '../../warehouse/duckdb/hot-column.ts';
import { readMark } from '../../warehouse/duckdb/shared-mark.ts';

/** What queries must know of a project's data, as of one version of it. */
export interface ProjectFacts {
  /** Grows with every change of the data. */
  readonly version: number;
  /** As HogqlContext has it, as of this version. */
  readonly mayHaveSuspects: boolean;
  readonly mayHaveMerges: boolean;
  /** Properties with a column of `events` that not every file has. */
  readonly hotColumns: readonly HotColumn[];
  /** Names by their index. */
  readonly groupTypes: readonly string[];
  propertyType(kind: PropertyKind, name: string, groupTypeIndex?: number): PropertyType | null;
}

type DataFacts = Pick<ProjectFacts, 'groupTypes' | 'propertyType'>;

interface FactSources {
  db: Db;
  channel: Pick<ServiceChannel, 'call'>;
}

const PROJECTS_KEPT = 100;

interface KnownProject {
  readonly state: StoreState;
  readonly data: Promise<DataFacts>;
  /** The same object until something of it has changed. */
  readonly facts: Promise<ProjectFacts>;
}

/** Asks for the state of a project again only after something in the store has changed, and for facts after types have. */
export function createProjectFacts(sources: FactSources): {
  /** The same object for as long as nothing of the project changes. */
  of(projectId: number): Promise<ProjectFacts>;
} {
  const kept = new LRUCache<number, KnownProject>({ max: PROJECTS_KEPT });

  async function learn(projectId: number): Promise<KnownProject> {
    // Before anything is read: what is read afterwards is at least as new.
    const state = await sources.channel.call<StoreState>({ kind: 'store.state', projectId });
    const before = kept.get(projectId);
    const isTyped = before !== undefined && before.state.typeChanges === state.typeChanges;
    const data = isTyped ? before.data : readFacts(sources, projectId);
    const isSame = isTyped && isDeepStrictEqual(storeFacts(before.state), storeFacts(state));
    const known = { state, data, facts: isSame ? before.facts : factsOf(state, data) };
    kept.set(projectId, known);
    known.facts.catch(() => {
      if (kept.peek(projectId)?.data === data) kept.delete(projectId);
    });
    return known;
  }

  return {
    async of(projectId) {
      const before = kept.get(projectId);
      const isTrue = before !== undefined && readMark(before.state.mark) === before.state.markedAt;
      const { facts } = isTrue ? before : await learn(projectId);
      return await facts;
    },
  };
}

type StoreFacts = Omit<ProjectFacts, keyof DataFacts>;

function storeFacts({
  changes: version,
  mayHaveSuspects,
  mayHaveMerges,
  hotColumns,
}: StoreState): StoreFacts {
  return { version, mayHaveSuspects, mayHaveMerges, hotColumns };
}

async function factsOf(state: StoreState, data: Promise<DataFacts>): Promise<ProjectFacts> {
  return { ...storeFacts(state), ...(await data) };
}

async function readFacts({ db }: FactSources, projectId: number): Promise<DataFacts> {
  const [types, properties] = await Promise.all([
    listGroupTypesJson(db, projectId),
    listTypedProperties(db, projectId),
  ]);
  const typed = new Map(
    properties.map(({ kind, groupTypeIndex, name, type }) => [keyOf(kind, name, groupTypeIndex), type]),
  );
  return {
    groupTypes: namesByIndex(types),
    propertyType: (kind, name, groupTypeIndex) =>
      typed.get(keyOf(kind, name, kind === 'group' ? groupTypeIndex : null)) ?? null,
  };
}

/** The place of a type that is gone stays empty. */
function namesByIndex(types: Awaited<ReturnType<typeof listGroupTypesJson>>): string[] {
  const names: string[] = [];
  for (const { group_type_index: index, group_type: name } of types) names[index] = name;
  return Array.from(names, (name) => name ?? '');
}

function keyOf(kind: PropertyKind, name: string, groupTypeIndex: number | null | undefined): string {
  return `${kind} ${groupTypeIndex ?? ''} ${name}`;
}
