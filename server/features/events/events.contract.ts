import { z } from 'zod';
import { integerField, parameter } from '../../http/fields.contract.ts';

const limit = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .pipe(z.int().min(1));

const ORDERS = { '-timestamp': 'descending', timestamp: 'ascending' } as const;

/** `["-timestamp"]` or `["timestamp"]`, also without brackets and quotes. */
const orderBy = z
  .string()
  .regex(/^(?:\[\s*"-?timestamp"\s*\]|-?timestamp)$/)
  .transform((text) => ORDERS[text.replaceAll(/[\s"[\]]/g, '') as keyof typeof ORDERS]);

/** Query of `GET P/events/` (management contract 7.1). `properties` may be there several times and is read by itself. */
const listEventsQuery = z.object({
  event: parameter(z.string()),
  distinct_id: parameter(z.string()),
  person_id: parameter(z.string()),
  after: parameter(z.string()),
  before: parameter(z.string()),
  after_id: parameter(z.guid()),
  before_id: parameter(z.guid()),
  limit: parameter(limit),
  offset: z.string().optional(),
  orderBy: parameter(orderBy),
  /** Expressions of HogQL, as a JSON list or one in each parameter of this name; each result has their values instead. */
  select: z.string().optional(),
  /** The same; all must hold. */
  where: z.string().optional(),
  action_id: parameter(integerField()),
});
export type ListEventsQuery = z.output<typeof listEventsQuery>;

/** An event of the deprecated listing: objects are JSON text in a string (management contract 7.2). */
export const storedEvent = z
  .object({
    id: z.guid(),
    distinct_id: z.string(),
    properties: z.string(),
    event: z.string(),
    timestamp: z.string(),
    person: z.string(),
    elements: z.string(),
    elements_chain: z.string(),
  })
  .meta({ id: 'StoredEvent' });
export type StoredEventJson = z.output<typeof storedEvent>;

export const storedEventPage = z.object({ next: z.string().nullable(), results: z.array(storedEvent) });

/** With `select`: what its expressions say of each event, by their texts. */
const eventPage = z.object({
  next: z.string().nullable(),
  results: z.union([z.array(storedEvent), z.array(z.record(z.string(), z.unknown()))]),
});

export const eventsApi = {
  'GET P/events/': { query: listEventsQuery, response: eventPage },
  'GET P/events/:id/': { params: z.object({ id: z.string() }), response: storedEvent },
};
