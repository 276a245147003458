import { fail } from '../../../errors.ts';
import { validate } from '../../../http/validation.ts';
import type { CohortDraft } from '../../cohorts/index.ts';
import { readFilters } from '../read-filters.ts';
import { REDACTED_PAYLOAD } from '../minimal-flag.ts';
import type { FeatureFlags } from '../feature-flags.service.ts';
import type { Flag } from '../flag-row.ts';
import { referencesOf } from './file-references.ts';
import { flagFields, type FlagFieldsBody, type ImportReport } from './flag-file.contract.ts';
import type { Scene } from './import-cohorts.ts';
import { namedIn } from './named-in-filters.ts';
import { orderItems } from './order-items.ts';
import type { FileFlag } from './read-flag-file.ts';
import { mayEdit, refusalOf } from './refusal.ts';
import { RefusedReference, rewriteFilters } from './rewrite-filters.ts';
import { saysTheSame } from './same-definition.ts';

type Outcome = ImportReport['flags'][number];

interface FlagScene extends Scene {
  readonly flags: FeatureFlags;
  readonly draft: Pick<CohortDraft, 'definitions'>;
  /** Ids in the project of the file's cohorts. */
  readonly cohortIds: ReadonlyMap<number, number>;
}

/** Makes the flags of a file, or changes those of the same keys; those that others need come first, and go off last. */
export async function createFlagImport(scene: FlagScene): Promise<{ outcomes: Outcome[] }> {
  const { tx, actor, projectId, file, access, groupTypes, flags, draft, cohortIds } = scene;
  const known = new Map(flags.list(projectId).map((flag) => [flag.key, flag]));
  const arrived = new Map<string, number>();
  const refusedFlags = new Set<string>();
  const references = referencesOf(file, {
    flags: arrived,
    refusedFlags,
    cohorts: cohortIds,
    known,
    groupTypes,
  });
  const options = { cohorts: draft.definitions() };

  async function put(flag: FileFlag): Promise<Outcome> {
    const stored = known.get(flag.key) ?? null;
    if (stored !== null && !mayEdit(access, actor, projectId, 'feature_flag', stored))
      throw fail('access_level', { detail: 'You do not have permission to edit this flag.' });
    const fields = fieldsOf(flag, stored);
    const { key } = fields;
    const filters = rewriteFilters(flag.filters, references);
    if (stored === null) {
      if (Object.values(filters['payloads'] ?? {}).includes(REDACTED_PAYLOAD))
        throw fail('invalid_input', { detail: 'Its payload is encrypted and not included in this file.' });
      const body = { ...fields, filters, _should_create_usage_dashboard: false };
      const made = await flags.create(tx, actor, projectId, body, options);
      return { key, id: made.id, outcome: 'created', reason: null };
    }
    const report = { key, id: stored.id, reason: null };
    if (isSame(stored, fields, filters)) return { ...report, outcome: 'unchanged' };
    await flags.update(tx, actor, projectId, stored.id, { ...fields, filters }, options);
    return { ...report, outcome: 'updated' };
  }

  const outcomes = new Map<FileFlag, Outcome>();
  const seen = new Set<string>();
  for (const flag of inWritingOrder(file.flags, known)) {
    const { key } = flag;
    const outcome = seen.has(key)
      ? refused(key, 'This key is in the file more than once.')
      : await put(flag).catch((error: unknown) =>
          refused(key, error instanceof RefusedReference ? error.message : refusalOf(error)),
        );
    seen.add(key);
    outcomes.set(flag, outcome);
    if (outcome.id === null) refusedFlags.add(key);
    else arrived.set(key, outcome.id);
  }
  return { outcomes: file.flags.map((flag) => outcomes.get(flag)!) };
}

/** Flags after those that they depend on; of those that are to go off, the ones that depend on others first, at the end. */
function inWritingOrder(flags: readonly FileFlag[], known: ReadonlyMap<string, Flag>): FileFlag[] {
  const ordered = orderItems(
    flags,
    ({ id, key }) => (id === null ? [key] : [key, String(id)]),
    ({ filters }) => [...namedIn(filters).flags],
  );
  const goesOff = ({ key, said }: FileFlag) => said['active'] === false && known.get(key)?.active === true;
  return [...ordered.filter((flag) => !goesOff(flag)), ...ordered.filter(goesOff).toReversed()];
}

/** What the file says beside filters. Evaluation tags are tags, which answers of SDKs do not tell. */
function fieldsOf({ key, said }: FileFlag, stored: Flag | null): FlagFieldsBody {
  const fields = validate(flagFields, { ...withoutNulls(said), key });
  const { evaluation_tags: evaluationTags } = fields;
  if (evaluationTags === undefined) return fields;
  const tags = [...(fields.tags ?? stored?.tags ?? []), ...evaluationTags];
  return { ...fields, tags: [...new Set(tags)] };
}

function withoutNulls(said: FileFlag['said']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

function isSame(stored: Flag, fields: FlagFieldsBody, filters: Record<string, unknown>): boolean {
  const { feature_enrollment: enrollment } = stored.filters;
  const wanted = {
    ...(enrollment === undefined ? {} : { feature_enrollment: enrollment }),
    ...readFilters(filters),
  };
  if (!saysTheSame(stored.filters, wanted)) return false;
  const now: Required<FlagFieldsBody> = {
    key: stored.key,
    name: stored.name,
    active: stored.active,
    ensure_experience_continuity: stored.ensureExperienceContinuity,
    bucketing_identifier: stored.bucketingIdentifier,
    evaluation_runtime: stored.evaluationRuntime,
    tags: [...stored.tags],
    evaluation_tags: [...stored.evaluationTags],
    is_remote_configuration: stored.isRemoteConfiguration,
    has_encrypted_payloads: stored.hasEncryptedPayloads,
  };
  return Object.entries(fields).every(([name, value]) =>
    saysTheSame(now[name as keyof FlagFieldsBody], value),
  );
}

function refused(key: string, reason: string): Outcome {
  return { key, id: null, outcome: 'refused', reason };
}
