import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import {
  toVariable,
  VARIABLE,
  type InsightVariable,
  type VariableFields,
  type VariableRow,
} from './variable-row.ts';

export async function findVariable(
  db: Statements,
  projectId: number,
  id: string,
): Promise<InsightVariable | null> {
  const row = await db.first<VariableRow>(
    `SELECT ${VARIABLE} FROM insight_variables WHERE id = $id::UUID AND project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toVariable(row);
}

/** Whether a variable of the project has this code name. */
export async function isCodeNameTaken(db: Statements, projectId: number, codeName: string): Promise<boolean> {
  const row = await db.first(
    'SELECT 1 FROM insight_variables WHERE project_id = $projectId AND code_name = $codeName',
    { projectId, codeName },
  );
  return row !== null;
}

/** `now` in Unix milliseconds. */
export async function insertVariable(
  tx: Statements,
  variable: VariableFields & {
    id: string;
    projectId: number;
    codeName: string;
    createdBy: number;
    now: number;
  },
): Promise<InsightVariable> {
  const row = await tx.first<VariableRow>(
    `INSERT INTO insight_variables (id, project_id, name, code_name, type, default_value, value_list, created_by,
       created_at, updated_at)
     VALUES ($id, $projectId, $name, $codeName, $type, $defaultValue, $values, $createdBy,
       epoch_ms($now), epoch_ms($now))
     RETURNING ${VARIABLE}`,
    { ...variable, ...jsonOf(variable) },
  );
  return toVariable(row!);
}

/** `now` in Unix milliseconds. */
export async function updateVariable(
  tx: Statements,
  { id, name, type, now, ...fields }: VariableFields & { id: string; now: number },
): Promise<InsightVariable> {
  const row = await tx.first<VariableRow>(
    `UPDATE insight_variables SET name = $name, type = $type, default_value = $defaultValue, value_list = $values,
       updated_at = epoch_ms($now)
     WHERE id = $id::UUID RETURNING ${VARIABLE}`,
    { id, name, type, now, ...jsonOf(fields) },
  );
  return toVariable(row!);
}

export async function deleteVariable(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM insight_variables WHERE id = $id::UUID', { id });
}

function jsonOf({ defaultValue, values }: Pick<VariableFields, 'defaultValue' | 'values'>) {
  return {
    defaultValue: defaultValue === null ? null : jsonText(defaultValue),
    values: values === null ? null : jsonText(values),
  };
}
