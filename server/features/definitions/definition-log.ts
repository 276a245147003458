import type { Db } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { DefinitionEdit, DefinitionRef } from './definition-orders.ts';
import type { EventDefinitionRow, PropertyDefinitionRow } from './definitions.reads.ts';
import { eventDefinitionResource, propertyDefinitionResource } from './definitions.resource.ts';

/** A definition before a change. */
export type KnownDefinition = EventDefinitionRow | PropertyDefinitionRow;

/** Logged fields of a definition, by their API names. */
type LogFields = Record<string, unknown>;

/** Writes changes of definitions to the activity log. */
export interface DefinitionLog {
  record(
    actor: Actor,
    definition: DefinitionRef,
    entry: { activity: 'created' | 'updated' | 'deleted'; name: string; changes?: Change[] },
  ): Promise<void>;
  /** The changes of an edit; empty when nothing differs. */
  changes(definition: DefinitionRef, before: KnownDefinition, edit: DefinitionEdit): Change[];
}

/**
 * The entry is written after the change, in a transaction of its own: the change belongs to the store's thread, between
 * two commits of events. A kill in between leaves a change without an entry, never an entry without a change.
 */
export function createDefinitionLog({
  db,
  clock,
  newId,
}: {
  db: Db;
  clock: Clock;
  newId: NewId;
}): DefinitionLog {
  return {
    record: (actor, { kind, projectId, id }, entry) =>
      db.transaction((tx) =>
        recordActivity(tx, {
          id: newId(),
          now: clock(),
          organizationId: actor.organizationId,
          projectId,
          userId: actor.user.id,
          scope: scopeOf(kind),
          itemId: id,
          ...entry,
        }),
      ),
    changes: ({ kind }, before, edit) =>
      changesBetween(scopeOf(kind), logFieldsOfRow(before), logFieldsOfEdit(edit)),
  };
}

function scopeOf(kind: DefinitionRef['kind']) {
  return (kind === 'event' ? eventDefinitionResource : propertyDefinitionResource).activity;
}

function logFieldsOfRow(row: KnownDefinition): LogFields {
  const { description, tags, verified, hidden } = row;
  const common = { description, tags: JSON.parse(tags) as unknown, verified, hidden };
  if (!('ownerId' in row)) return { ...common, property_type: row.propertyType };
  return {
    ...common,
    owner: row.ownerId,
    post_to_slack: row.postToSlack,
    default_columns: JSON.parse(row.defaultColumns) as unknown,
  };
}

/** Only fields of the edit. */
function logFieldsOfEdit(edit: DefinitionEdit): LogFields {
  const { tags, owner_id, default_columns, chosen_type, ...same } = edit;
  return {
    ...same,
    ...(tags === undefined ? {} : { tags: JSON.parse(tags) as unknown }),
    ...(owner_id === undefined ? {} : { owner: owner_id }),
    ...(default_columns === undefined ? {} : { default_columns: JSON.parse(default_columns) as unknown }),
    ...(chosen_type === undefined ? {} : { property_type: chosen_type }),
  };
}
