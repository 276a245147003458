import type { Printed } from '../../functions/function-row.ts';
import { defaultOf } from '../../functions/read-argument.ts';
import { jsonInside, propertySql, propertyTypeOf, typedText } from './property-sql.ts';
import type { Statement } from './statement.ts';
import { scalar, withNull } from '../../value-type.ts';
import type { OutputColumn } from '../../resolve/output.ts';
import type { Found, PathStep, Source } from '../../resolve/source.ts';

/** A column as it is read: an outer join without a row gives NULL, or the default of the type. */
export function outerValue({ isOuter, hasDefaults }: Source, { sql, type }: Printed): Printed {
  if (!isOuter) return { sql, type };
  const isKept = ['Person', 'JSON', 'State', 'PersonSet', 'Nothing', 'Lambda'].includes(type.name);
  if (!hasDefaults || type.nullable || isKept) return { sql, type: withNull(type) };
  return { sql: `coalesce(${sql}, ${defaultOf(type)})`, type };
}

/**
 * A query, or a list of values, in FROM. `text` is its SQL, whose columns are c0, c1…; the source picks its own
 * alias.
 */
export function createQuerySource(
  statement: Statement,
  name: string | null,
  columns: readonly OutputColumn[],
  text: string,
): Source {
  const alias = statement.fresh('q');
  // Of two columns with one name the first is meant.
  const places = new Map(columns.map((column, at): [string, number] => [column.name, at]).toReversed());
  const self: Source = {
    name,
    isOuter: false,
    hasDefaults: false,
    isHidden: false,
    find(wanted): Found | null {
      const at = places.get(wanted);
      if (at === undefined) return null;
      const { type } = columns[at]!;
      const printed = outerValue(self, { sql: `${alias}.c${at}`, type });
      if (type.name !== 'JSON' && type.name !== 'String') return { kind: 'value', printed };
      const owner = 'owner' in type ? type.owner : undefined;
      const text = (path: readonly PathStep[]): Printed => ({
        sql: propertySql(statement, jsonInside(printed), path),
        type: scalar('String', true),
      });
      return {
        kind: 'properties',
        printed,
        text,
        read: (path) => typedText(statement, text(path), propertyTypeOf(statement, owner, path)),
      };
    },
    star: () => [...new Set(columns.map((column) => column.name))],
    names: () => columns.map((column) => column.name),
    text: () => `${text} AS ${alias}`,
  };
  return self;
}
