export { getPersonId } from './person-id.ts';
export { findPerson, listPersonsByIds } from './person-json.ts';
export { PERSON_UUID_NAMESPACE } from './person-uuid.ts';
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
export { createPersons } from './persons.service.ts';
