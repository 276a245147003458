export { embeddedUserOf } from './user-json.ts';
export { currentUser, embeddedUser, type EmbeddedUser } from './users.contract.ts';
export { readCurrentUser, userRoutes } from './users.routes.ts';
export { createUsers, FULL_GRANT, type Grant, type Users } from './users.service.ts';
export { findUser, findUserByEmail, insertUser, saveUser, type User } from './users.store.ts';
