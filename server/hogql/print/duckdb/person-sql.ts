import { PERSON_UUID_NAMESPACE } from '../../../lib/person-namespace.ts';
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

/** The hash behind the UUID of a person that a distinct ID creates (version 5, RFC 9562). */
function hashSql(statement: Statement, distinctId: string): string {
  return `sha1(unhex('${PERSON_UUID_NAMESPACE}') || encode(CAST(${project(statement)} AS VARCHAR) || ':' || ${distinctId}))`;
}

/** A UUID of such a hash; NULL of NULL, where no person has this number. */
function uuidOfHash(hash: string): string {
  const variant = `substr('89ab', (strpos('0123456789abcdef', substr(${hash}, 17, 1)) - 1) % 4 + 1, 1)`;
  const parts = [
    `substr(${hash}, 1, 12)`,
    `'5'`,
    `substr(${hash}, 14, 3)`,
    variant,
    `substr(${hash}, 18, 15)`,
  ];
  return `CAST(${parts.join(' || ')} AS UUID)`;
}

/** SQL for the UUID of a person or placeholder by its number. It looks up each that occurs once. */
export function uuidOfPerson(statement: Statement, person: string): string {
  checkShown(statement);
  const mine = project(statement);
  const hash = hashSql(statement, 'arg_min(u.distinct_id, u.position)');
  return `coalesce((SELECT u.uuid FROM persons u WHERE u.id = ${person} AND u.project_id = ${mine}),
    (SELECT ${uuidOfHash('h.hash')} FROM (SELECT ${hash} AS hash FROM person_distinct_ids u
      WHERE u.person_id = ${person} AND u.project_id = ${mine}) h))`;
}

/** SQL for the number of the person that a UUID names; NULL when it names none. Also placeholders are found. */
export function personOfUuid(statement: Statement, uuid: string): string {
  checkShown(statement);
  const mine = project(statement);
  const known = `SELECT id FROM persons WHERE project_id = ${mine} AND uuid = TRY_CAST(${uuid} AS UUID)`;
  const hex = `lower(replace(${uuid}, '-', ''))`;
  const hash = hashSql(statement, 'd.distinct_id');
  // Compares the digits of the hash that the version and the variant of a UUID do not replace, if no person has this
  // UUID.
  return `coalesce((${known}), (SELECT d.person_id FROM person_distinct_ids d
    WHERE d.project_id = ${mine} AND (SELECT count(*) FROM (${known})) = 0
      AND substr(${hash}, 1, 12) = substr(${hex}, 1, 12) AND substr(${hash}, 14, 3) = substr(${hex}, 14, 3)
      AND substr(${hash}, 18, 15) = substr(${hex}, 18, 15) LIMIT 1))`;
}
