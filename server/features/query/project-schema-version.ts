import { LRUCache } from 'lru-cache';
import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import type { PropertyKind, PropertyType } from '../../hogql/hogql-context.ts';
import { listTypedProperties } from '../definitions/index.ts';
import { listGroupTypesJson } from '../groups/index.ts';
import type { StoreState } from '../../warehouse/duckdb/event-store.ts';
import type { HotColumn } from '../../warehouse/duckdb/fast/hot-columns.ts';
import { readCounter } from '../../warehouse/duckdb/change-counter.ts';

/** A version of a project's data and the inputs of compilation at it. */
export interface ProjectSchemaVersion {
  /** Increases with every change of the data. */
  readonly version: number;
  readonly inputs: CompileInputs;
}

/** All of a project's data that compiling a query depends on. */
interface CompileInputs {
  /** As HogqlContext has it. */
  readonly mayHaveSuspects: boolean;
  readonly mayHaveMerges: boolean;
  readonly personLimit: number | null;
  /** Properties with a column of `events` that not every file has. */
  readonly hotColumns: readonly HotColumn[];
  /** Names by index. */
  readonly groupTypes: readonly string[];
  propertyType(kind: PropertyKind, name: string, groupTypeIndex?: number): PropertyType | null;
}

type DefinedTypes = Pick<CompileInputs, 'groupTypes' | 'propertyType'>;

interface SchemaSources {
  db: Db;
  channel: Pick<ServiceChannel, 'call'>;
  config: { readonly fast: boolean };
}

const MAX_PROJECTS = 100;

interface CachedProject {
  readonly state: StoreState;
  readonly types: Promise<DefinedTypes>;
  readonly inputs: Promise<CompileInputs>;
}

/** Loads the state of a project only after the store has changed, and its types only after they have changed. */
export function createSchemaVersions(sources: SchemaSources): {
  of(projectId: number): Promise<ProjectSchemaVersion>;
} {
  const cache = new LRUCache<number, CachedProject>({ max: MAX_PROJECTS });

  async function load(projectId: number): Promise<CachedProject> {
    // Read first, so that everything read later is at least as new.
    const stored = await sources.channel.call<StoreState>({ kind: 'store.state', projectId });
    // Without fast paths all properties are read from JSON.
    const state = sources.config.fast ? stored : { ...stored, hotColumns: [] };
    const cached = cache.get(projectId);
    const isTyped = cached !== undefined && cached.state.typeChanges === state.typeChanges;
    const types = isTyped ? cached.types : readTypes(sources, projectId);
    const loaded = { state, types, inputs: inputsOf(state, types) };
    cache.set(projectId, loaded);
    loaded.inputs.catch(() => {
      if (cache.peek(projectId)?.types === types) cache.delete(projectId);
    });
    return loaded;
  }

  return {
    async of(projectId) {
      const cached = cache.get(projectId);
      const isCurrent =
        cached !== undefined && readCounter(cached.state.changeCounter) === cached.state.markedAt;
      const { state, inputs } = isCurrent ? cached : await load(projectId);
      return { version: state.changes, inputs: await inputs };
    },
  };
}

async function inputsOf(state: StoreState, types: Promise<DefinedTypes>): Promise<CompileInputs> {
  const { mayHaveSuspects, mayHaveMerges, personLimit, hotColumns } = state;
  return { mayHaveSuspects, mayHaveMerges, personLimit, hotColumns, ...(await types) };
}

async function readTypes({ db }: SchemaSources, projectId: number): Promise<DefinedTypes> {
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

/** Indexes of deleted types have an empty name. */
function namesByIndex(types: Awaited<ReturnType<typeof listGroupTypesJson>>): string[] {
  const names: string[] = [];
  for (const { group_type_index: index, group_type: name } of types) names[index] = name;
  return Array.from(names, (name) => name ?? '');
}

function keyOf(kind: PropertyKind, name: string, groupTypeIndex: number | null | undefined): string {
  return `${kind} ${groupTypeIndex ?? ''} ${name}`;
}
