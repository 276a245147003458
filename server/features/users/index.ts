import type { Feature } from '../../http/define-route.ts';
import { userRoutes } from './users.routes.ts';
import { createUsers, type Users, type UsersDependencies } from './users.service.ts';

export { embeddedUserOf } from './user-json.ts';
export { type EmbeddedUser } from './users.contract.ts';
export { readCurrentUser } from './users.routes.ts';
export { FULL_GRANT, type Grant, type Users } from './users.service.ts';
export { findUser, findUserByEmail, insertUser, saveUser, type User } from './users.store.ts';

export async function usersFeature(needs: UsersDependencies): Promise<Feature & { users: Users }> {
  const users = createUsers(needs);
  await users.load();
  return { name: 'users', users, routes: userRoutes({ ...needs, users }) };
}
