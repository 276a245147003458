import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import { codeNameOf } from './code-name.ts';
import type { CreateInsightVariableBody, UpdateInsightVariableBody } from './insight-variables.contract.ts';
import {
  deleteVariable,
  findVariable,
  insertVariable,
  isCodeNameTaken,
  updateVariable,
} from './insight-variables.store.ts';
import type { InsightVariable, VariableFields } from './variable-row.ts';
import { insightVariableResource } from './insight-variables.resource.ts';

/** Changes to variables; each notes itself in the activity log. */
export interface InsightVariables {
  /** Throws unique when the code name of the name is taken, invalid_input for a name that makes none. */
  create(actor: Actor, projectId: number, body: CreateInsightVariableBody): Promise<InsightVariable>;
  /** Throws not_found. */
  update(
    actor: Actor,
    projectId: number,
    id: string,
    body: UpdateInsightVariableBody,
  ): Promise<InsightVariable>;
  /** Throws not_found. */
  delete(actor: Actor, projectId: number, id: string): Promise<void>;
}

export function createInsightVariables({
  db,
  clock,
  newId,
  checkValue,
}: {
  db: Db;
  clock: Clock;
  newId: NewId;
  /** Throws invalid_input for a value that no query can hold. */
  checkValue: (value: unknown, attr: string) => void;
}): InsightVariables {
  const entry = (actor: Actor, projectId: number, { id, name }: { id: string; name: string }) => ({
    id: newId(),
    organizationId: actor.organizationId,
    projectId,
    userId: actor.user.id,
    scope: insightVariableResource.activity,
    itemId: id,
    name,
  });

  /** Checks new values; stored ones are not checked again. */
  function checkValues({ defaultValue, values }: VariableFields, changes?: readonly Change[]): void {
    const isNew = (name: string): boolean => changes?.some(({ field }) => field === name) ?? true;
    if (isNew('default_value')) checkValue(defaultValue, 'default_value');
    if (isNew('values')) checkValue(values, 'values');
  }

  return {
    create: (actor, projectId, { name, type, default_value: defaultValue = null, values = null }) =>
      db.transaction(async (tx) => {
        const now = clock();
        const codeName = codeNameOf(name);
        if (codeName === '') {
          throw fail('invalid_input', {
            attr: 'name',
            detail: 'A name requires at least one letter or digit.',
          });
        }
        if (await isCodeNameTaken(tx, projectId, codeName)) {
          throw fail('unique', {
            attr: 'name',
            detail: `A variable with the code name ${codeName} already exists.`,
          });
        }
        const fields = { name, type, defaultValue, values };
        checkValues(fields);
        const createdBy = actor.user.id;
        const row = { ...fields, id: newId(), projectId, codeName, createdBy, now };
        const variable = await insertVariable(tx, row);
        await recordActivity(tx, { ...entry(actor, projectId, variable), activity: 'created', now });
        return variable;
      }),
    update: (actor, projectId, id, body) =>
      db.transaction(async (tx) => {
        const before = await findVariable(tx, projectId, id);
        if (before === null) throw fail('not_found');
        const now = clock();
        const fields = {
          name: body.name ?? before.name,
          type: body.type ?? before.type,
          defaultValue: body.default_value === undefined ? before.defaultValue : body.default_value,
          values: body.values === undefined ? before.values : body.values,
        };
        const changes = changesBetween(
          insightVariableResource.activity,
          logFieldsOf(before),
          logFieldsOf(fields),
        );
        checkValues(fields, changes);
        if (changes.length === 0) return before;
        const after = await updateVariable(tx, { ...fields, id, now });
        await recordActivity(tx, { ...entry(actor, projectId, after), activity: 'updated', changes, now });
        return after;
      }),
    delete: (actor, projectId, id) =>
      db.transaction(async (tx) => {
        const variable = await findVariable(tx, projectId, id);
        if (variable === null) throw fail('not_found');
        await deleteVariable(tx, id);
        await recordActivity(tx, {
          ...entry(actor, projectId, variable),
          activity: 'deleted',
          now: clock(),
        });
      }),
  };
}

/** The fields of a variable in the activity log, by the names of the wire. */
function logFieldsOf({ name, type, defaultValue, values }: VariableFields) {
  return { name, type, default_value: defaultValue, values };
}
