import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import type { PropertyKind, PropertyType } from '../../hogql/hogql-context.ts';
import { listTypedProperties } from '../definitions/index.ts';
import { listGroupTypesJson } from '../groups/index.ts';
import type { StoreState } from '../../warehouse/duckdb/event-store.ts';
import type { HotColumn } from '../../warehouse/duckdb/hot-columns.ts';
import { readCounter } from '../../warehouse/duckdb/change-counter.ts';

/** What queries must know of a project's data, as of one version of it. */
export interface ProjectFacts {
  /** Grows with every change of the data. */
  readonly version: number;
  /** The same object while changes of the data leave all of it as it was: what is compiled with it stays true. */
  readonly shape: DataShape;
}

/** All of a project's data that compiling a query depends on. */
export interface DataShape {
  /** As HogqlContext has it. */
  readonly mayHaveSuspects: boolean;
  readonly mayHaveMerges: boolean;
  readonly personLimit: number | null;
  /** Properties with a column of `events` that not every file has. */
  readonly hotColumns: readonly HotColumn[];
  /** Names by their index. */
  readonly groupTypes: readonly string[];
  propertyType(kind: PropertyKind, name: string, groupTypeIndex?: number): PropertyType | null;
}

type DefinedTypes = Pick<DataShape, 'groupTypes' | 'propertyType'>;

interface FactSources {
  db: Db;
  channel: Pick<ServiceChannel, 'call'>;
}

const PROJECTS_KEPT = 100;

interface KnownProject {
  readonly state: StoreState;
  readonly types: Promise<DefinedTypes>;
  readonly shape: Promise<DataShape>;
}

/** Asks for the state of a project again only after something in the store has changed, and for types after they have. */
export function createProjectFacts(sources: FactSources): {
  of(projectId: number): Promise<ProjectFacts>;
} {
  const kept = new LRUCache<number, KnownProject>({ max: PROJECTS_KEPT });

  async function learn(projectId: number): Promise<KnownProject> {
    // Before anything is read: what is read afterwards is at least as new.
    const state = await sources.channel.call<StoreState>({ kind: 'store.state', projectId });
    const before = kept.get(projectId);
    const isTyped = before !== undefined && before.state.typeChanges === state.typeChanges;
    const types = isTyped ? before.types : readTypes(sources, projectId);
    const isSame = isTyped && isDeepStrictEqual(storedShape(before.state), storedShape(state));
    const known = { state, types, shape: isSame ? before.shape : shapeOf(state, types) };
    kept.set(projectId, known);
    known.shape.catch(() => {
      if (kept.peek(projectId)?.types === types) kept.delete(projectId);
    });
    return known;
  }

  return {
    async of(projectId) {
      const before = kept.get(projectId);
      const isTrue =
        before !== undefined && readCounter(before.state.changeCounter) === before.state.markedAt;
      const { state, shape } = isTrue ? before : await learn(projectId);
      return { version: state.changes, shape: await shape };
    },
  };
}

type StoredShape = Omit<DataShape, keyof DefinedTypes>;

function storedShape({ mayHaveSuspects, mayHaveMerges, personLimit, hotColumns }: StoreState): StoredShape {
  return { mayHaveSuspects, mayHaveMerges, personLimit, hotColumns };
}

async function shapeOf(state: StoreState, types: Promise<DefinedTypes>): Promise<DataShape> {
  return { ...storedShape(state), ...(await types) };
}

async function readTypes({ db }: FactSources, projectId: number): Promise<DefinedTypes> {
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
