import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import { ACTION, toAction, type Action, type ActionFields, type ActionRow } from './action-row.ts';

/** Also one that is deleted; null when the project has none with this id. */
export async function findAction(db: Statements, projectId: number, id: number): Promise<Action | null> {
  const row = await db.first<ActionRow>(
    `SELECT ${ACTION} FROM actions WHERE id = $id AND project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toAction(row);
}

/** The id of the project's live action of this name, or null. */
export async function findLiveActionByName(
  db: Statements,
  projectId: number,
  name: string,
): Promise<number | null> {
  const row = await db.first<{ id: number }>(
    'SELECT id FROM actions WHERE project_id = $projectId AND name = $name AND NOT deleted',
    { projectId, name },
  );
  return row?.id ?? null;
}

/** The project's live actions as goals of its visitors: pinned ones first, then those whose steps are newest. */
export async function listGoals(db: Statements, projectId: number): Promise<Action[]> {
  const rows = await db.all<ActionRow>(
    `SELECT ${ACTION} FROM actions WHERE project_id = $projectId AND NOT deleted
     ORDER BY pinned_at NULLS LAST, last_calculated_at DESC, id`,
    { projectId },
  );
  return rows.map(toAction);
}

/** `now` in Unix milliseconds. */
export async function insertAction(
  tx: Statements,
  {
    projectId,
    createdBy,
    now,
    ...fields
  }: ActionFields & { projectId: number; createdBy: number; now: number },
): Promise<Action> {
  const row = await tx.first<ActionRow>(
    `INSERT INTO actions (project_id, name, description, tags, steps, post_to_slack, slack_message_format, pinned_at,
       last_calculated_at, created_by, created_at, updated_at, deleted)
     VALUES ($projectId, $name, $description, $tags, $steps, $postToSlack, $slackMessageFormat, $pinnedAt::TIMESTAMP,
       epoch_ms($now), $createdBy, epoch_ms($now), epoch_ms($now), $deleted)
     RETURNING ${ACTION}`,
    { projectId, createdBy, now, ...paramsOf(fields) },
  );
  return toAction(row!);
}

/** `now` in Unix milliseconds. */
export async function updateAction(
  tx: Statements,
  { id, now, areStepsNew, ...fields }: ActionFields & { id: number; now: number; areStepsNew: boolean },
): Promise<Action> {
  const row = await tx.first<ActionRow>(
    `UPDATE actions SET name = $name, description = $description, tags = $tags, steps = $steps,
       post_to_slack = $postToSlack, slack_message_format = $slackMessageFormat, pinned_at = $pinnedAt::TIMESTAMP,
       last_calculated_at = CASE WHEN $areStepsNew THEN epoch_ms($now) ELSE last_calculated_at END,
       updated_at = epoch_ms($now), deleted = $deleted
     WHERE id = $id RETURNING ${ACTION}`,
    { id, now, areStepsNew, ...paramsOf(fields) },
  );
  return toAction(row!);
}

function paramsOf(fields: ActionFields) {
  const { name, description, tags, steps, postToSlack, slackMessageFormat, pinnedAt, deleted } = fields;
  return {
    name,
    description,
    tags: jsonText(tags),
    steps: jsonText(steps),
    postToSlack,
    slackMessageFormat,
    pinnedAt,
    deleted,
  };
}
