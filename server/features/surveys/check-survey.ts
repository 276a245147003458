import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { FeatureFlags } from '../feature-flags/index.ts';
import { checkHtml } from './check-html.ts';
import type { SurveyFields } from './survey-row.ts';
import { listStartingActions } from './surveys.reads.ts';
import { findSurveyByName } from './surveys.store.ts';

const MAX_SIZE = 1_048_576;

export interface SurveyCheckParts {
  readonly flags: Pick<FeatureFlags, 'read'>;
  readonly access: Pick<Access, 'check'>;
}

/** A survey as it is to be, in the open transaction of its change. */
export interface WantedSurvey {
  readonly actor: Actor;
  readonly projectId: number;
  readonly id: string;
  readonly before: SurveyFields;
  readonly fields: SurveyFields;
}

/**
 * Whether a survey is valid beside all others. Throws unique for a name that is taken, does_not_exist for a flag or
 * an action that is not there, max_length for too much of all, invalid_input for an end before the start, HTML that
 * pages must not show, a variant that the flag does not have, access_level for a flag that the actor may not see.
 */
export async function checkSurvey(
  tx: Statements,
  parts: SurveyCheckParts,
  wanted: WantedSurvey,
): Promise<void> {
  const { projectId, id, before, fields } = wanted;
  if (fields.name !== before.name) await checkName(tx, projectId, id, fields.name);
  checkDates(fields);
  checkHtml(fields);
  checkSize(fields);
  if (fields.linkedFlagId !== before.linkedFlagId || fields.conditions !== before.conditions)
    await checkLinkedFlag(tx, parts, wanted);
  if (fields.conditions !== before.conditions) await checkActions(tx, projectId, fields);
}

async function checkName(tx: Statements, projectId: number, id: string, name: string): Promise<void> {
  const taken = await findSurveyByName(tx, projectId, name);
  if (taken === null || taken === id) return;
  throw fail('unique', {
    attr: 'name',
    detail: `This project already has a survey with this name (id ${taken}).`,
  });
}

/** Every page loads every survey that is shown. */
function checkSize({ questions, appearance, conditions, translations }: SurveyFields): void {
  if (JSON.stringify([questions, appearance, conditions, translations]).length <= MAX_SIZE) return;
  throw fail('max_length', {
    attr: 'questions',
    detail: `A survey is limited to ${MAX_SIZE} characters of JSON: questions, appearance, conditions, translations.`,
  });
}

function checkDates({ startDate, endDate }: SurveyFields): void {
  if (startDate === null || endDate === null || Date.parse(endDate) >= Date.parse(startDate)) return;
  throw fail('invalid_input', { attr: 'end_date', detail: 'A survey cannot end before it starts.' });
}

async function checkLinkedFlag(
  tx: Statements,
  { flags, access }: SurveyCheckParts,
  { actor, projectId, before, fields: { linkedFlagId, conditions } }: WantedSurvey,
): Promise<void> {
  const variant = conditions?.linkedFlagVariant ?? null;
  // Ids are 32-bit integers.
  const isId = linkedFlagId !== null && linkedFlagId > 0 && linkedFlagId <= 2_147_483_647;
  const flag = isId ? await flags.read(tx, projectId, linkedFlagId) : null;
  if (linkedFlagId !== null && (flag === null || flag.deleted))
    throw fail('does_not_exist', {
      attr: 'linked_flag_id',
      detail: `Feature flag ${linkedFlagId} does not exist.`,
    });
  if (flag !== null && linkedFlagId !== before.linkedFlagId)
    access.check(actor, projectId, 'feature_flag', flag, 'viewer');
  if (variant === null || variant === '' || variant === 'any') return;
  const variants = flag?.filters.multivariate?.variants.map(({ key }) => key) ?? [];
  if (variants.includes(variant)) return;
  throw fail('invalid_input', {
    attr: 'conditions__linkedFlagVariant',
    detail:
      flag === null
        ? 'A variant requires a linked flag: set linked_flag_id.'
        : `The linked flag does not have this variant. Variants: ${variants.join(', ') || 'none'}.`,
  });
}

async function checkActions(tx: Statements, projectId: number, { conditions }: SurveyFields): Promise<void> {
  const ids = [...new Set(conditions?.actions?.values.map(({ id }) => id) ?? [])];
  const known = (await listStartingActions(tx, ids)).filter((action) => action.projectId === projectId);
  const unknown = ids.find((id) => !known.some((action) => action.id === id));
  if (unknown === undefined) return;
  throw fail('does_not_exist', {
    attr: 'conditions__actions__values',
    detail: `Action ${unknown} does not exist.`,
  });
}
