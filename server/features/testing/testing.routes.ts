import { noResource, routesOf, type ManagementRoute } from '../../http/define-route.ts';
import { testingApi } from './testing.contract.ts';
import type { Testing } from './testing.service.ts';

const route = routesOf(testingApi);

/** All of them reach into the current project of the key, as its owner. */
const FULL_KEY = noResource('It reads and deletes what an app under test has sent, whatever it is.', ['*']);

export function testingRoutes(testing: Testing): ManagementRoute[] {
  const row = { auth: 'key', scope: FULL_KEY } as const;
  return [
    route('GET /_test/events/', {
      ...row,
      summary: 'Lists captured events that match, and waits until there are as many as `count`.',
      errors: ['throttled'],
      handle: ({ actor, query, signal }) => testing.captured(testing.projectOf(actor), query, signal),
    }),
    route('GET /_test/persons/', {
      ...row,
      summary: 'Retrieves the person of a distinct ID, or null.',
      handle: async ({ actor, query }) => ({
        person: await testing.person(testing.projectOf(actor), query.distinct_id),
      }),
    }),
    route('POST /_test/persons/', {
      ...row,
      summary: 'Creates persons with properties.',
      handle: async ({ actor, body }) => {
        await testing.createPersons(testing.projectOf(actor), body.persons);
        return {};
      },
    }),
    route('POST /_test/flags/', {
      ...row,
      summary: 'Overrides the value of a flag for a distinct ID or for everyone; an unknown flag is created.',
      errors: ['invalid', 'invalid_choice'],
      handle: async ({ actor, body }) => {
        await testing.setFlag(actor, testing.projectOf(actor), body);
        return {};
      },
    }),
    route('POST /_test/reset/', {
      ...row,
      summary: 'Deletes events, persons, groups and flag overrides.',
      handle: async ({ actor }) => {
        await testing.reset(actor, testing.projectOf(actor));
        return {};
      },
    }),
  ];
}
