import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { InsightVariableJson } from './insight-variables.contract.ts';

/** What people set of a variable. */
export interface VariableFields {
  readonly name: string;
  readonly type: InsightVariableJson['type'];
  readonly defaultValue: InsightVariableJson['default_value'];
  readonly values: InsightVariableJson['values'];
}

export interface InsightVariable extends VariableFields {
  readonly id: string;
  readonly codeName: string;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A variable as the database gives it, with values as JSON text. */
export type VariableRow = Omit<InsightVariable, 'defaultValue' | 'values'> & {
  defaultValue: string | null;
  values: string | null;
};

/** The columns of a VariableRow. */
export const VARIABLE = `id, name, code_name AS "codeName", type, default_value AS "defaultValue",
  value_list AS "values", created_by AS "createdBy", created_at AS "createdAt"`;

export function toVariable({ defaultValue, values, ...row }: VariableRow): InsightVariable {
  return {
    ...row,
    defaultValue:
      defaultValue === null ? null : (parseExactly(defaultValue) as VariableFields['defaultValue']),
    values: values === null ? null : (parseExactly(values) as VariableFields['values']),
  };
}
