import type { Printed } from '../../functions/function-row.ts';
import type { Scope } from '../../resolve/scope.ts';

/** Returns the expression of an alias of the SELECT, printed once. */
export function printAlias(name: string, { select }: Scope): Printed {
  const known = select.printedAliases.get(name);
  const isRows = ['WHERE', 'GROUP BY', 'ON', 'ARRAY JOIN'].includes(select.clause) || select.isInAggregate;
  if (known !== undefined && !(isRows && (known.hasAggregates || known.hasWindows))) {
    if (!select.isInAggregate && !select.groupKeys.has(known.printed.sql)) select.loose.push(...known.loose);
    select.hasAggregates ||= known.hasAggregates;
    select.hasWindows ||= known.hasWindows;
    return known.printed;
  }
  const { hasAggregates, hasWindows } = select;
  const before = select.loose.length;
  select.hasAggregates = select.hasWindows = false;
  select.resolving.add(name);
  try {
    const printed = select.printer.expression(select.aliases.get(name)!, { select, locals: new Map() });
    if (!select.isInAggregate) {
      const loose = select.loose.slice(before);
      select.printedAliases.set(name, {
        printed,
        loose,
        hasAggregates: select.hasAggregates,
        hasWindows: select.hasWindows,
      });
    }
    return printed;
  } finally {
    select.resolving.delete(name);
    select.hasAggregates ||= hasAggregates;
    select.hasWindows ||= hasWindows;
  }
}
