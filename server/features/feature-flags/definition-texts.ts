import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { ProjectRef } from '../../http/define-route.ts';
import { entityTag } from '../../http/entity-tag.ts';
import type { CohortDefinition, FlagSet } from '../../conditions/index.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import type { CohortSource } from './flag-memory.ts';
import type { Flag } from './flag-row.ts';
import { localDefinitionsOf } from './local-definitions.ts';

/** An answer of local evaluation and its weak entity tag. */
export interface DefinitionText {
  readonly text: string;
  readonly etag: string;
}

/** What the answer leaves out, because access rules hide it from the reader. */
export interface HiddenFrom {
  isHidden(flag: Flag): boolean;
  isCohortHidden(cohort: CohortDefinition): boolean;
}

/** Responses of local evaluation: SDKs poll them, so that each is built once per change. */
export interface DefinitionTexts {
  read(project: ProjectRef, sendCohorts: boolean, hidden: HiddenFrom): Promise<DefinitionText>;
}

interface Kept extends DefinitionText {
  readonly set: FlagSet;
  readonly groupTypes: string;
  readonly timezone: string;
}

/** `groupTypes` gives the names of a project's types of groups by their index, as text. */
export function createDefinitionTexts(parts: {
  flags: Pick<FeatureFlags, 'set' | 'list'>;
  cohorts: Pick<CohortSource, 'definitions'>;
  groupTypes: (projectId: number) => Promise<Record<string, string>>;
}): DefinitionTexts {
  const { flags, cohorts, groupTypes } = parts;
  const kept = new Map<string, Kept>();
  return {
    async read({ id: projectId, timezone }, sendCohorts, { isHidden, isCohortHidden }) {
      const types = await groupTypes(projectId);
      // Flags and cohorts are read after the types, so that the response contains every change acknowledged before.
      const set = flags.set(projectId);
      const all = flags.list(projectId);
      const seen = all.filter((flag) => !isHidden(flag));
      const allCohorts = cohorts.definitions(projectId);
      const seenCohorts = allCohorts.filter((cohort) => !isCohortHidden(cohort));
      const isWhole = seen.length === all.length && seenCohorts.length === allCohorts.length;
      const name = `${projectId} ${sendCohorts}`;
      const known = kept.get(name);
      const typesText = JSON.stringify(types);
      if (isWhole && known?.set === set && known.groupTypes === typesText && known.timezone === timezone)
        return known;
      const parts = {
        flags: seen,
        set,
        cohorts: seenCohorts,
        groupTypes: types,
        timezone,
      };
      const text = stringifyExactly(localDefinitionsOf(parts, sendCohorts));
      const made = { set, groupTypes: typesText, timezone, text, etag: `W/${entityTag(text)}` };
      if (isWhole) kept.set(name, made);
      return made;
    },
  };
}
