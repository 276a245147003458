export type { CommittedPersons } from './person-unit-of-work.ts';
export { getPersonId } from './person-id.ts';
export { findPerson, listPersonsByIds } from './person-json.ts';
export type { LookedUpPerson, PersonLookup } from './person-lookup.ts';
export {
  deletePropertyBody,
  personActivity,
  personOrigins,
  personParams,
  updatePropertyBody,
  type PersonActivityJson,
  type PersonOriginsJson,
} from './persons.contract.ts';
export { countPropertyNames, listPropertyValues } from './persons.reads.ts';
export { personRoutes } from './persons.routes.ts';
export { sourcesOf } from './person-state.ts';
export { createPersons } from './persons.service.ts';
export { ANONYMOUS_ID_PATTERN, personName } from './person-name.ts';
export { initialName, PERSON_PROPERTIES } from './write-saving.ts';
export { personResource } from './persons.resource.ts';
