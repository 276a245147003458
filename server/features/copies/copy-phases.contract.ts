/** What is done in this order; a copy that goes on begins with the one in which it ended. */
export const PHASES = ['start', 'events', 'persons', 'groups', 'definitions', 'check', 'done'] as const;
