import type { Located } from '../../ast.ts';
import type { CallContext } from '../../functions/function-row.ts';
import { refuse } from '../../resolve/scope.ts';
import type { Statement } from './statement.ts';

/** What a function may use, for a call at this place whose arguments stand at those. */
export function callContext(
  statement: Statement,
  at: Located,
  args: readonly Located[] = [],
  more: Partial<Pick<CallContext, 'params' | 'distinct' | 'suffix' | 'filter' | 'order'>> = {},
): CallContext {
  const { timezone, now } = statement.context;
  return {
    timezone,
    now,
    params: [],
    distinct: false,
    suffix: '',
    order: '',
    ...more,
    bind: (value) => statement.bind(value),
    fresh: () => statement.fresh('x'),
    refuse: (message, argument) => refuse(message, args[argument ?? -1] ?? at),
  };
}
