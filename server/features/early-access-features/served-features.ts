import type { Db } from '../../db/db.ts';
import { createLatestRead } from '../../lib/latest-read.ts';
import { listKeyedFeatures, type KeyedFeature } from './early-access-features.reads.ts';
import type { PublicFeature } from './early-access-features.contract.ts';

/** What pages get of early access features, kept in memory. */
export interface ServedFeatures {
  /** Reads the features of all projects; to be called before the first request. */
  load(): Promise<void>;
  /** Rereads those of a project; to be called after the commit of a change to them or their flags. */
  refresh(projectId: number): Promise<void>;
  /** Features of a project in some stages, oldest first; no statement. */
  inStages(projectId: number, stages: readonly string[]): PublicFeature[];
  /** Whether a project has any; no statement. */
  has(projectId: number): boolean;
}

export function createServedFeatures({ db }: { db: Db }): ServedFeatures {
  let projects = new Map<number, KeyedFeature[]>();
  const readLatest = createLatestRead();

  return {
    async load() {
      const read = new Map<number, KeyedFeature[]>();
      for (const feature of await listKeyedFeatures(db, null)) {
        const ofProject = read.get(feature.projectId);
        if (ofProject === undefined) read.set(feature.projectId, [feature]);
        else ofProject.push(feature);
      }
      projects = read;
    },
    refresh: (projectId) =>
      readLatest(
        projectId,
        () => listKeyedFeatures(db, projectId),
        (found) => void projects.set(projectId, found),
      ),
    inStages: (projectId, stages) =>
      (projects.get(projectId) ?? []).filter(({ stage }) => stages.includes(stage)).map(publicFeatureOf),
    has: (projectId) => (projects.get(projectId) ?? []).length > 0,
  };
}

function publicFeatureOf(feature: KeyedFeature): PublicFeature {
  const { id, name, description, stage, documentationUrl, flagKey, payload } = feature;
  return { id, name, description, stage, documentationUrl, flagKey, payload };
}
