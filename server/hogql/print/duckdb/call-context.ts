import type { Located } from '../../ast.ts';
import type { CallContext } from '../../functions/function-row.ts';
import { refuse } from '../../resolve/scope.ts';
import type { Statement } from './statement.ts';

/** The context of a call at this place, with the places of its arguments. */
export function callContext(
  statement: Statement,
  at: Located,
  args: readonly Located[] = [],
  more: Partial<Pick<CallContext, 'params' | 'distinct' | 'suffix' | 'filter' | 'order' | 'personBits'>> = {},
): CallContext {
  const { timezone } = statement.context;
  const refused = (message: string, argument?: number): never => refuse(message, args[argument ?? -1] ?? at);
  return {
    timezone,
    name: 'name' in at && typeof at.name === 'string' ? at.name : 'this',
    noteLargeList: () => statement.noteLargeList(refused),
    now: () => statement.context.now,
    params: [],
    distinct: false,
    suffix: '',
    order: '',
    personBits: null,
    ...more,
    bind: (value) => statement.bind(value),
    fresh: () => statement.fresh('x'),
    refuse: refused,
    spend(letters) {
      if (!statement.mayCompile(letters))
        refused('The regular expressions of the query are too long in total.');
    },
  };
}
