import type { Located } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { asCondition, asDay, asMoment, asNumber } from '../../functions/read-argument.ts';
import { refuse } from '../../resolve/scope.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { isNumeric, scalar, tupleOf, type ValueType } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { uuidOfPerson } from './person-sql.ts';
import { isDay, readMoment } from './read-moment.ts';
import type { Statement } from './statement.ts';

/** Values brought to a type, where the language does that by itself: texts that say numbers, moments, days, UUIDs. */

/** A person as its UUID, also in a tuple; anything else as it is. */
export function visible(value: Printed, statement: Statement): Printed {
  const { type } = value;
  if (type.name === 'Lambda') return value;
  const { sql } = value;
  if (type.name === 'Person')
    return { sql: uuidOfPerson(statement, sql), type: scalar('UUID', type.nullable) };
  if (type.name !== 'Tuple' || !hasPerson(type)) return value;
  const parts = type.items.map((item, at) =>
    visible({ sql: tuplePartSql(sql, at + 1), type: item }, statement),
  );
  return {
    sql: tupleSql(parts.map((part) => part.sql)),
    type: tupleOf(
      parts.map((part) => part.type),
      type.nullable,
    ),
  };
}

/** Whether a value is a person, or a tuple with one. */
export function hasPerson(type: ValueType): boolean {
  return type.name === 'Person' || (type.name === 'Tuple' && type.items.some(hasPerson));
}

/** As text. */
export function toText(value: Printed): Printed {
  if (value.type.name === 'String' || value.type.name === 'JSON') return value;
  return { sql: `CAST(${value.sql} AS VARCHAR)`, type: scalar('String', value.type.nullable) };
}

/** As a number: what a text says, NULL when it says none; 1 and 0 of conditions. */
export function toNumber(value: Printed, statement: Statement, at: Located): Printed {
  return asNumber(value, callContext(statement, at));
}

/** As a moment: a text in the project's zone, a day as its beginning there. A text that is written out is bound as one. */
export function toMoment(value: Printed, statement: Statement, at: Located): Printed {
  if (typeof value.constant !== 'string') return asMoment(value, callContext(statement, at));
  const micros = readMoment(value.constant, statement.context.timezone);
  return micros === null ? refuseText(value.constant, 'date or time', at) : statement.bindMoment(micros);
}

/** As a day; NULL for texts that are none. */
export function toDay(value: Printed, statement: Statement, at: Located): Printed {
  const { constant } = value;
  if (typeof constant !== 'string') return asDay(value, callContext(statement, at));
  if (!isDay(constant)) return refuseText(constant, 'date', at);
  return { sql: `CAST(${value.sql} AS DATE)`, type: scalar('Date') };
}

/** A value that has to be true or false, for where NULL is as good as false. */
export function toCondition(value: Printed, statement: Statement, at: Located): string {
  const { sql, type } = value;
  if (type.name === 'Bool') return sql;
  if (type.name === 'Nothing' || (isNumeric(type) && value.constant !== undefined))
    return `CAST(${sql} AS BOOLEAN)`;
  return asCondition(value, callContext(statement, at)).sql;
}

function refuseText(text: string, wanted: string, at: Located): never {
  return refuse(`'${text.slice(0, 100)}' is not a valid ${wanted}.`, at);
}
