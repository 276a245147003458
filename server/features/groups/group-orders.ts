/** Orders about groups that the server gives to the thread of the commits, through `store.service('capture').call`. */
export type GroupOrder =
  | {
      kind: 'groups.create';
      projectId: number;
      groupTypeIndex: number;
      groupKey: string;
      /** As JSON text, as `set` is. */
      properties: string;
    }
  | {
      kind: 'groups.set';
      projectId: number;
      groupTypeIndex: number;
      groupKey: string;
      /** As JSON text: the digits of exact numbers would not pass from thread to thread. */
      set: string | null;
      unset: readonly string[] | null;
    }
  | { kind: 'group_types.claim'; projectId: number; groupTypes: readonly string[] }
  | { kind: 'group_types.delete'; projectId: number; groupTypeIndex: number }
  | {
      kind: 'group_types.rename';
      projectId: number;
      groupTypeIndex: number;
      nameSingular?: string | null;
      namePlural?: string | null;
    };

/** The order of one kind, as its handler takes it. */
export type GroupOrderOf<Kind extends GroupOrder['kind']> = Extract<GroupOrder, { kind: Kind }>;

/** How an order to make a group ended. */
export type GroupCreated = 'created' | 'exists' | 'no_type' | 'too_large';

/** How an order to set properties ended. */
export type GroupSet = 'set' | 'not_found' | 'too_large';
