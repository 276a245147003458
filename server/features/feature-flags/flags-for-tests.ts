import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import type { FlagFiles } from './file/flag-file.service.ts';
import { readFlagFile } from './file/read-flag-file.ts';
import { variantsOf } from './overrides/flag-override.ts';
import type { OverrideBody } from './overrides/flag-overrides.contract.ts';
import type { FlagOverrides } from './overrides/flag-overrides.service.ts';

/** Flags as a test of an app sets them: by value alone. */
export interface FlagsForTests {
  /** Overrides a flag; one that is not there is created, off for all others. Throws invalid, invalid_choice. */
  set(actor: Actor, projectId: number, body: OverrideBody): Promise<void>;
  /** Ends all overrides, and deletes the flags that were created here. */
  reset(actor: Actor, projectId: number): Promise<void>;
}

interface Parts {
  flags: FeatureFlags;
  overrides: FlagOverrides;
  files: FlagFiles;
}

export function createFlagsForTests({ flags, overrides, files }: Parts): FlagsForTests {
  /** Project and flag, as ids. */
  const created = new Map<number, Set<number>>();

  async function provide(actor: Actor, projectId: number, { key, value }: OverrideBody): Promise<void> {
    const known = flags.findByKey(projectId, key);
    const isOwn = known !== null && created.get(projectId)?.has(known.id) === true;
    if (known !== null && !isOwn) return;
    const variants = known === null ? [] : variantsOf(known);
    if (known !== null && (typeof value === 'boolean' || variants.includes(value))) return;
    const file = readFlagFile([flagOf(key, typeof value === 'boolean' ? [] : [...variants, value])]);
    const report = await files.import(actor, projectId, file, { dryRun: false });
    if (!report.applied) throw fail('invalid', { attr: 'key', detail: report.flags[0]?.reason ?? key });
    const flag = flags.findByKey(projectId, key)!;
    created.set(projectId, (created.get(projectId) ?? new Set()).add(flag.id));
  }

  return {
    async set(actor, projectId, body) {
      await provide(actor, projectId, body);
      await overrides.force(actor, projectId, body);
    },
    async reset(actor, projectId) {
      await overrides.endAll(actor, projectId, {});
      const ids = [...(created.get(projectId) ?? [])].filter((id) => flags.find(projectId, id) !== null);
      created.delete(projectId);
      if (ids.length === 0) return;
      await flags.inTransaction(async (tx) => {
        for (const id of ids) await flags.update(tx, actor, projectId, id, { deleted: true });
      });
    },
  };
}

/** Off for all users, but for overrides. */
function flagOf(key: string, variants: readonly string[]) {
  const shares = variants.map((name, index) => ({ key: name, rollout_percentage: index === 0 ? 100 : 0 }));
  return {
    key,
    name: 'Created by a test',
    active: true,
    filters: {
      groups: [{ properties: [], rollout_percentage: 0 }],
      ...(variants.length === 0 ? {} : { multivariate: { variants: shares } }),
    },
  };
}
