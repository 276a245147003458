/** Orders about persons that the server gives to the thread of the commits, through `store.service('capture').call`. */
export type PersonOrder =
  | {
      kind: 'persons.set';
      projectId: number;
      personId: number;
      /** As JSON text: the digits of exact numbers would not pass from thread to thread. */
      set: string | null;
      unset: readonly string[] | null;
    }
  | {
      kind: 'persons.delete';
      projectId: number;
      personIds: readonly number[];
      deleteEvents: boolean;
      /** Those of them that only anonymous events came with are forgotten, if events are. */
      distinctIds: readonly string[];
    }
  | { kind: 'persons.split'; projectId: number; personId: number; mainDistinctId: string | null };

/** The order of one kind, as its handler takes it. */
export type PersonOrderOf<Kind extends PersonOrder['kind']> = Extract<PersonOrder, { kind: Kind }>;

/** How an order to set properties ended. */
export type PersonSet = 'set' | 'not_found' | 'too_large';
