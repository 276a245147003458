import type { Statements } from '../../db/db.ts';

export interface User {
  readonly id: number;
  readonly uuid: string;
  readonly distinctId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly currentProjectId: number | null;
  readonly isActive: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

const USER = `id, uuid, distinct_id AS "distinctId", email, first_name AS "firstName", last_name AS "lastName",
  current_project_id AS "currentProjectId", is_active AS "isActive", created_at AS "createdAt"`;

export function listUsers(db: Statements): Promise<User[]> {
  return db.all<User>(`SELECT ${USER} FROM users ORDER BY id`);
}

/** Returns the user with the id that the database gave; `now` in Unix milliseconds. */
export async function insertUser(
  tx: Statements,
  user: {
    uuid: string;
    distinctId: string;
    email: string;
    firstName: string;
    currentProjectId: number;
    now: number;
  },
): Promise<User> {
  const row = await tx.first<User>(
    `INSERT INTO users (uuid, distinct_id, email, first_name, current_project_id, created_at)
     VALUES ($uuid, $distinctId, $email, $firstName, $currentProjectId, epoch_ms($now))
     RETURNING ${USER}`,
    user,
  );
  return row!;
}
