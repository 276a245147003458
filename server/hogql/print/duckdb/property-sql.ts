import { NUMBER_PATTERN } from '../../../lib/number-text.ts';
import type { Printed } from '../../functions/function-row.ts';
import { DIGITS, jsonAt } from '../../functions/json-path.ts';
import { readMoment } from '../../functions/read-argument.ts';
import type { PropertyType } from '../../hogql-context.ts';
import type { PathStep } from '../../resolve/source.ts';
import { boolean, scalar, type PropertyOwner } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import type { Statement } from './statement.ts';

/** SQL for a part of JSON text as text: NULL where there is none, and for null. A path of names is bound, as a JSON pointer. */
export function propertySql(statement: Statement, json: string, path: readonly PathStep[]): string {
  const isPlain = (step: PathStep, at: number): step is string =>
    typeof step === 'string' && (at === 0 || !DIGITS.test(step));
  if (!path.every(isPlain)) {
    const steps = path.map((step) => ({ ...statement.bind(step), constant: step }));
    const part = jsonAt({ sql: json, type: scalar('JSON') }, steps, callContext(statement, {}));
    return `json_extract_string(${part}, '$')`;
  }
  const pointer = path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return `json_extract_string(${json}, ${statement.bind(pointer).sql})`;
}

/** SQL of a value that is read inside: a text that is no JSON has nothing in it. */
export function jsonInside({ sql, type }: Printed): string {
  return type.name === 'String' ? `TRY_CAST(${sql} AS JSON)` : sql;
}

/** The known type of a property; null where it is text to us: unknown, or inside of another. */
export function propertyTypeOf(
  { context }: Statement,
  owner: PropertyOwner | undefined,
  path: readonly string[],
): PropertyType | null {
  if (owner === undefined || path.length !== 1) return null;
  return context.propertyType(owner.kind, path[0]!, owner.groupTypeIndex);
}

/** The text of a property as a value of its type, NULL where it says none. */
export function typedText(statement: Statement, text: Printed, type: PropertyType | null): Printed {
  switch (type) {
    case 'Numeric': {
      // The grammar of JSON, as filters have it; the text is read once.
      const number = `TRY_CAST(regexp_extract(${text.sql}, '^${NUMBER_PATTERN}$') AS DOUBLE)`;
      return { sql: number, type: scalar('Float64', true) };
    }
    case 'Boolean':
      return {
        sql: `CASE ${text.sql} WHEN 'true' THEN true WHEN 'false' THEN false END`,
        type: boolean(true),
      };
    case 'DateTime':
      return {
        sql: readMoment(text.sql, statement.context.timezone, callContext(statement, {})),
        type: scalar('DateTime', true),
      };
    default:
      return text;
  }
}
