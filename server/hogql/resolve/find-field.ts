import type { Field, Located } from '../ast.ts';
import type { Printed } from '../functions/function-row.ts';
import { didYouMean } from '../nearest.ts';
import { jsonInside, propertySql } from '../print/duckdb/property-sql.ts';
import { asField } from './as-field.ts';
import { tuplePartSql } from '../tuple-sql.ts';
import { scalar, withNull } from '../value-type.ts';
import { refuse, type Scope, type SelectState } from './scope.ts';
import { isVirtual } from '../tables/table.ts';
import type { Found, PathStep, Source } from './source.ts';

/**
 * What a name means: the parameter of a lambda, an alias of the SELECT, the column of a table that is named before it, or the
 * column of the only table that has it; and the same in the query around it. Throws HogqlError where there is none.
 */
export function findField(
  named: Field,
  scope: Scope,
  as: 'value' | 'text' = 'value',
  steps: readonly PathStep[] = [],
): Printed {
  const field = throughAlias(withVirtualColumn(named), scope, steps.length > 0);
  const found = lookUp(field, scope);
  if (found === null) return refuse(unknownName(field, scope), field);
  const { counted, notes } = scope.select.statement;
  const isCounted = counted.has(named);
  const parts = field.chain.slice(found.isQualified ? 1 : 0);
  const isText = steps.length > 0 || leadsToProperty(found.found, found.rest);
  notes?.fields.set(named, { source: found.source, parts, steps, as, isText });
  return follow(found.found, found.rest, { field, as, steps, isCounted });
}

/** Whether a name leads to a property, not to a column of another kind. */
export function isProperty(field: Field, scope: Scope): boolean {
  const looked = lookUp(throughAlias(withVirtualColumn(field), scope, true), scope);
  return looked !== null && leadsToProperty(looked.found, looked.rest);
}

function leadsToProperty(found: Found, [name, ...more]: readonly string[]): boolean {
  if (name === undefined) return false;
  if (found.kind !== 'source') return found.kind === 'properties';
  const inner = found.source.find(name);
  return inner !== null && leadsToProperty(inner, more);
}

/** `properties.$virt_is_bot` is the column `$virt_is_bot` of the same table: virtual properties are stored in none. */
function withVirtualColumn(field: Field): Field {
  const name = field.chain.at(-1)!;
  if (!isVirtual(name) || field.chain.at(-2) !== 'properties') return field;
  return { ...field, chain: [...field.chain.slice(0, -2), name] };
}

/**
 * The property itself, where something is read inside of an alias of it: as a number or moment it has no parts, as JSON it
 * may. `select properties.items as items, items[1]`
 */
function throughAlias(field: Field, scope: Scope, isReadInside: boolean): Field {
  const [first, ...rest] = field.chain as [string, ...string[]];
  const { select, locals } = scope;
  if (!isReadInside && rest.length === 0) return field;
  if (locals.has(first) || select.rowNames.has(first) || !select.aliases.has(first)) return field;
  if (select.resolving.has(first) || select.sources.some((one) => one.name === first)) return field;
  const property = asField(select.aliases.get(first)!);
  if (property === null || !isPropertyBehind(first, property, scope)) return field;
  const { type } = select.printer.alias(first, scope);
  return ['String', 'JSON'].includes(type.name) ? field : { ...field, chain: [...property.chain, ...rest] };
}

/** Whether the expression of an alias is a property; inside, the name of the alias means a column. */
function isPropertyBehind(alias: string, property: Field, scope: Scope): boolean {
  const { resolving } = scope.select;
  resolving.add(alias);
  try {
    return isProperty(property, scope);
  } finally {
    resolving.delete(alias);
  }
}

/** The field to look up, and whether to read a property as its text in JSON. */
interface Wanted {
  readonly field: Field;
  readonly as: 'value' | 'text';
  /** What is read inside of that text. */
  readonly steps: readonly PathStep[];
  /** Whether it is the only argument of an aggregate that counts it. */
  readonly isCounted: boolean;
}

interface LookedUp {
  found: Found;
  rest: readonly string[];
  /** Null: a parameter or an alias. */
  source: Source | null;
  /** Whether the name begins with that of the source. */
  isQualified?: true;
}

function lookUp(field: Field, scope: Scope): LookedUp | null {
  const [first, ...rest] = field.chain as [string, ...string[]];
  const { select, locals } = scope;
  const local = locals.get(first);
  if (local !== undefined) return { found: valueOf(local, select), rest, source: null };
  const rowName = select.rowNames.get(first);
  if (rowName !== undefined) {
    looseColumn(field, select);
    return { found: valueOf(rowName, select), rest, source: null };
  }
  if (rest.length > 0) {
    const source = select.sources.find((one) => one.name === first && !one.isHidden);
    const found = source?.find(rest[0]!);
    if (source !== undefined && found) {
      looseColumn(field, select);
      return { found, rest: rest.slice(1), source, isQualified: true };
    }
    if (source !== undefined && sourcesWith(first, select).length === 0) {
      refuse(`Table "${first}" has no column "${rest[0]!}".${didYouMean(rest[0]!, source.names())}`, field);
    }
  }
  if (select.aliases.has(first) && !select.resolving.has(first)) {
    return { found: valueOf(select.printer.alias(first, scope), select), rest, source: null };
  }
  const sources = sourcesWith(first, select);
  if (sources.length > 1 && !select.shared.has(first)) {
    const names = sources.map((source) => source.name).filter((name) => name !== null);
    refuse(
      `Column "${first}" is ambiguous: use a table name, as in "${names[0] ?? 'table'}.${first}".`,
      field,
    );
  }
  if (sources[0] !== undefined) {
    looseColumn(field, select);
    return { found: sources[0].find(first)!, rest, source: sources[0] };
  }
  // Columns of a query around it do not change while it runs, so they are not loose here.
  const outer = select.outer === null ? null : lookUp(field, select.outer);
  if (outer !== null) select.statement.readOuter();
  return outer;
}

function sourcesWith(name: string, select: SelectState): Source[] {
  return select.sources.filter((source) => !source.isHidden && source.find(name) !== null);
}

function looseColumn(field: Located, select: SelectState): void {
  if (!select.isInAggregate) select.loose.push(field);
}

/** A value whose parts can be read by name: JSON, or a text that holds it. */
function valueOf(printed: Printed, { statement }: SelectState): Found {
  if (!['JSON', 'String'].includes(printed.type.name)) return { kind: 'value', printed };
  const read = (path: readonly PathStep[]): Printed => ({
    sql: propertySql(statement, jsonInside(printed), path),
    type: scalar('String', true),
  });
  return { kind: 'properties', printed, read, text: read };
}

function follow(found: Found, rest: readonly string[], wanted: Wanted): Printed {
  if (found.kind === 'source') return followSource(found.source, rest, wanted);
  if (found.kind === 'value' && wanted.isCounted && rest.length === 0) return found.counted ?? found.printed;
  if (rest.length === 0) return found.printed;
  if (found.kind === 'properties')
    return wanted.as === 'text' ? found.text([...rest, ...wanted.steps]) : found.read(rest);
  const { field } = wanted;
  const index = Number(rest[0]);
  const { type } = found.printed;
  if (type.name === 'Tuple' && rest.length === 1 && type.items[index - 1] !== undefined) {
    const part = type.items[index - 1]!;
    return { sql: tuplePartSql(found.printed.sql, index), type: type.nullable ? withNull(part) : part };
  }
  return refuse(`"${field.chain.slice(0, -rest.length).join('.')}" has no field "${rest[0]!}".`, field);
}

function followSource(source: Source, rest: readonly string[], wanted: Wanted): Printed {
  const { field } = wanted;
  const [name, ...more] = rest;
  if (name === undefined) {
    const example = source.star()[0] ?? 'id';
    return refuse(
      `"${field.chain.join('.')}" is a table: use one of its columns, as in "${source.name ?? ''}.${example}".`,
      field,
    );
  }
  const found = source.find(name);
  if (found === null)
    return refuse(
      `"${source.name ?? ''}" has no column "${name}".${didYouMean(name, source.names())}`,
      field,
    );
  return follow(found, more, wanted);
}

function unknownName(field: Field, scope: Scope): string {
  const [first] = field.chain as [string];
  const { select } = scope;
  if (select.sources.length === 0 && select.outer === null) {
    return `Unknown column "${first}": the query has no FROM. Use single quotes for strings.`;
  }
  const known = [
    ...select.sources.flatMap((source) => [
      ...source.names(),
      ...(source.name === null ? [] : [source.name]),
    ]),
    ...select.aliases.keys(),
  ];
  return `Unknown column "${first}".${didYouMean(first, known)}`;
}
