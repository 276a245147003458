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
  /** null: nobody has looked. */
  readonly isEmailVerified: boolean | null;
  readonly roleAtOrganization: string | null;
  readonly hedgehogConfig: Readonly<Record<string, unknown>> | null;
  readonly themeMode: string | null;
  readonly notificationSettings: Readonly<Record<string, unknown>>;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The last sign-in to the console. */
  readonly lastLogin: string | null;
}

export interface NewUser {
  uuid: string;
  distinctId: string;
  email: string;
  firstName: string;
  lastName: string;
  isEmailVerified: boolean | null;
  currentProjectId: number | null;
  /** Unix milliseconds. */
  now: number;
}

type UserRow = Omit<User, 'hedgehogConfig' | 'notificationSettings'> & {
  hedgehogConfig: string | null;
  notificationSettings: string;
};

const USER = `id, uuid, distinct_id AS "distinctId", email, first_name AS "firstName", last_name AS "lastName",
  current_project_id AS "currentProjectId", is_active AS "isActive", is_email_verified AS "isEmailVerified",
  role_at_organization AS "roleAtOrganization", hedgehog_config AS "hedgehogConfig", theme_mode AS "themeMode",
  notification_settings AS "notificationSettings", created_at AS "createdAt", last_login AS "lastLogin"`;
const USERS = `SELECT ${USER} FROM users JOIN user_profiles ON user_id = id`;

export async function listUsers(db: Statements): Promise<User[]> {
  return (await db.all<UserRow>(`${USERS} ORDER BY id`)).map(toUser);
}

/** Returns the user with the id that the database gave. */
export async function insertUser(tx: Statements, { isEmailVerified, ...user }: NewUser): Promise<User> {
  const row = await tx.first<{ id: number }>(
    `INSERT INTO users (uuid, distinct_id, email, first_name, last_name, current_project_id, created_at)
     VALUES ($uuid, $distinctId, $email, $firstName, $lastName, $currentProjectId, epoch_ms($now)) RETURNING id`,
    user,
  );
  const { id } = row!;
  await tx.run('INSERT INTO user_profiles (user_id, is_email_verified) VALUES ($id, $isEmailVerified)', {
    id,
    isEmailVerified,
  });
  return toUser((await tx.first<UserRow>(`${USERS} WHERE id = $id`, { id }))!);
}

function toUser(row: UserRow): User {
  return {
    ...row,
    hedgehogConfig: row.hedgehogConfig === null ? null : (JSON.parse(row.hedgehogConfig) as Json),
    notificationSettings: JSON.parse(row.notificationSettings) as Json,
  };
}

type Json = Record<string, unknown>;
