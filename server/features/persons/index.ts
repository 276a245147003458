import type { Feature } from '../../http/define-route.ts';
import { personHistoryRoutes } from './person-history-routes.ts';
import { personResource } from './persons.resource.ts';
import { personRoutes, type PersonsParts } from './persons.routes.ts';
import { createPersons, type PersonParts, type Persons } from './persons.service.ts';

export type { CommittedPersons } from './person-unit-of-work.ts';
export { getPersonId } from './person-id.ts';
export { findPerson, listPersonsByIds } from './person-json.ts';
export type { LookedUpPerson, PersonLookup } from './person-lookup.ts';
export { countPropertyNames, findPersonIds, listPropertyValues } from './persons.reads.ts';
export type { Persons } from './persons.service.ts';
export { ANONYMOUS_ID_PATTERN, NAME_PROPERTIES, personName } from './person-name.ts';
export { initialName, PERSON_PROPERTIES } from './write-saving.ts';

export function personsFeature(
  needs: PersonParts &
    Omit<PersonsParts, 'persons' | 'cohortsOf'> & {
      cohorts: { conditions: PersonsParts['cohortsOf'] };
    },
): Feature & { persons: Persons } {
  const persons = createPersons(needs);
  const routes = [
    ...personRoutes({ ...needs, persons, cohortsOf: needs.cohorts.conditions }),
    ...personHistoryRoutes(needs),
  ];
  return { name: 'persons', persons, resources: [personResource], routes };
}
