import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';

export interface User {
  readonly id: number;
  readonly uuid: string;
  readonly distinctId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly currentProjectId: number | null;
  readonly isActive: boolean;
  /** null: the user has not looked. */
  readonly isEmailVerified: boolean | null;
  readonly roleAtOrganization: string | null;
  readonly hedgehogConfig: Readonly<Record<string, unknown>> | null;
  readonly themeMode: 'light' | 'dark' | 'system' | null;
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
  return (await findUser(tx, id))!;
}

export async function findUser(tx: Statements, id: number): Promise<User | null> {
  const row = await tx.first<UserRow>(`${USERS} WHERE id = $id`, { id });
  return row === null ? null : toUser(row);
}

/** Finds a person by e-mail address, whatever its upper and lower case; also one who has left. */
export async function findUserByEmail(tx: Statements, email: string): Promise<User | null> {
  const row = await tx.first<UserRow>(`${USERS} WHERE lower(email) = lower($email)`, { email });
  return row === null ? null : toUser(row);
}

/** Writes what can change of a user, and returns it as it is stored then. */
export async function saveUser(tx: Statements, user: User): Promise<User> {
  const { id, firstName, lastName, currentProjectId, isActive } = user;
  await tx.run(
    `UPDATE users SET first_name = $firstName, last_name = $lastName, current_project_id = $currentProjectId,
       is_active = $isActive WHERE id = $id`,
    { id, firstName, lastName, currentProjectId, isActive },
  );
  const { roleAtOrganization, hedgehogConfig, themeMode, notificationSettings } = user;
  await tx.run(
    `UPDATE user_profiles SET role_at_organization = $roleAtOrganization, hedgehog_config = $hedgehogConfig,
       theme_mode = $themeMode, notification_settings = $notificationSettings WHERE user_id = $id`,
    {
      id,
      roleAtOrganization,
      hedgehogConfig: hedgehogConfig === null ? null : jsonText(hedgehogConfig),
      themeMode,
      notificationSettings: jsonText(notificationSettings),
    },
  );
  return (await findUser(tx, id))!;
}

/** `now` in Unix milliseconds; returns the user as it is then. */
export async function setLastLogin(
  tx: Statements,
  { userId, now }: { userId: number; now: number },
): Promise<User> {
  await tx.run('UPDATE user_profiles SET last_login = epoch_ms($now) WHERE user_id = $userId', {
    userId,
    now,
  });
  return (await findUser(tx, userId))!;
}

function toUser(row: UserRow): User {
  return {
    ...row,
    hedgehogConfig: row.hedgehogConfig === null ? null : (JSON.parse(row.hedgehogConfig) as Json),
    notificationSettings: JSON.parse(row.notificationSettings) as Json,
  };
}

type Json = Record<string, unknown>;
