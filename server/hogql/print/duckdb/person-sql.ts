import { personHashSql, uuidOfHashSql } from '../../../lib/person-uuid-sql.ts';
import { HiddenPersonsError } from '../../errors.ts';
import type { Statement } from './statement.ts';

/** Persons are numbers inside a statement; here are the ways to their UUIDs and back. */

function project(statement: Statement): string {
  return statement.bind(statement.context.projectId).sql;
}

/** The id of a person is that of a distinct id too, so that a query by it shows whether the person exists. */
function checkShown({ context }: Statement): void {
  if (context.hidesPersons) throw new HiddenPersonsError('The id of a person');
}

/** SQL for the UUID of a person or placeholder by its number. It looks up each that occurs once. */
export function uuidOfPerson(statement: Statement, person: string): string {
  checkShown(statement);
  const mine = project(statement);
  const hash = personHashSql(mine, 'arg_min(u.distinct_id, u.position)');
  return `coalesce((SELECT u.uuid FROM persons u WHERE u.id = ${person} AND u.project_id = ${mine}),
    (SELECT ${uuidOfHashSql('h.hash')} FROM (SELECT ${hash} AS hash FROM person_distinct_ids u
      WHERE u.person_id = ${person} AND u.project_id = ${mine}) h))`;
}

/** SQL for the number of the person that a UUID names; NULL when it names none. Also placeholders are found. */
export function personOfUuid(statement: Statement, uuid: string): string {
  checkShown(statement);
  const mine = project(statement);
  const known = `SELECT id FROM persons WHERE project_id = ${mine} AND uuid = TRY_CAST(${uuid} AS UUID)`;
  const hex = `lower(replace(${uuid}, '-', ''))`;
  const hash = personHashSql(mine, 'd.distinct_id');
  // Compares the digits of the hash that the version and the variant of a UUID do not replace, if no person has this
  // UUID.
  return `coalesce((${known}), (SELECT d.person_id FROM person_distinct_ids d
    WHERE d.project_id = ${mine} AND (SELECT count(*) FROM (${known})) = 0
      AND substr(${hash}, 1, 12) = substr(${hex}, 1, 12) AND substr(${hash}, 14, 3) = substr(${hex}, 14, 3)
      AND substr(${hash}, 18, 15) = substr(${hex}, 18, 15) LIMIT 1))`;
}
