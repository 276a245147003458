import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { ActionStep } from './actions.contract.ts';

/** What people set of an action. */
export interface ActionFields {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly steps: readonly ActionStep[];
  readonly postToSlack: boolean;
  readonly slackMessageFormat: string;
  /** ISO 8601, UTC. */
  readonly pinnedAt: string | null;
  readonly deleted: boolean;
}

export interface Action extends ActionFields {
  readonly id: number;
  readonly projectId: number;
  readonly createdBy: number | null;
  readonly createdAt: string;
  /** When its steps were last set. */
  readonly lastCalculatedAt: string;
}

/** An action as the database gives it; lists are JSON text. */
export type ActionRow = Omit<Action, 'tags' | 'steps'> & { tags: string; steps: string };

/** The columns of an ActionRow. */
export const ACTION = `id, project_id AS "projectId", name, description, tags, steps, post_to_slack AS "postToSlack",
  slack_message_format AS "slackMessageFormat", pinned_at AS "pinnedAt", last_calculated_at AS "lastCalculatedAt",
  created_by AS "createdBy", created_at AS "createdAt", deleted`;

export function toAction(row: ActionRow): Action {
  return {
    ...row,
    tags: JSON.parse(row.tags) as string[],
    steps: parseExactly(row.steps) as ActionStep[],
  };
}
