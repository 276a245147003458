import type { SqlQuery } from '../../insights/hogql/sql-node.ts';

/** `{name}` and `{variables.name}`; quoted text is skipped, and `{filters}` gets its values from the server. */
const PIECES = /'(?:[^'\\]|\\.)*'|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*((?:variables\.)?[A-Za-z_]\w*)\s*\}/g;

/** The names in braces that a query needs values for, each once, in order. */
export function variableNames(text: string): string[] {
  const names = [...text.matchAll(PIECES)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)].filter((name) => name !== 'filters');
}

/** A typed text as a value: numbers, `true`, `false`, `null` and lists are parsed, all else is text. */
export function variableValue(typed: string): unknown {
  const text = typed.trim();
  if (!/^(?:-?\d+(?:\.\d+)?|true|false|null|\[.*\])$/s.test(text)) return typed;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return typed;
  }
}

const VARIABLE = 'variables.';

/** What the field of a name shows for each value that a query holds. */
export function typedValues({ values, variables }: SqlQuery): Record<string, string> {
  const ofVariables = Object.values(variables ?? {}).map(({ code_name: code, value }): [string, unknown] => [
    `${VARIABLE}${code}`,
    value,
  ]);
  const all = [...ofVariables, ...Object.entries(values ?? {})];
  return Object.fromEntries(all.map(([name, value]) => [name, fieldText(value)]));
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The query with what was typed as values for its names. A value whose field was not changed keeps its type. */
export function withValues(query: SqlQuery, typed: Readonly<Record<string, string>>): SqlQuery {
  const names = variableNames(query.query);
  if (names.length === 0) return query;
  const values: Record<string, unknown> = {};
  const variables = { ...query.variables };
  for (const name of names) {
    const text = typed[name] ?? '';
    const code = name.startsWith(VARIABLE) ? name.slice(VARIABLE.length) : null;
    const key = Object.keys(variables).find((id) => variables[id]!.code_name === code) ?? code;
    const before = key !== null && variables[key] ? variables[key].value : query.values?.[name];
    const value = before !== undefined && fieldText(before) === text ? before : variableValue(text);
    values[name] = value;
    if (key !== null) variables[key] = { code_name: code!, ...variables[key], value };
  }
  return { ...query, values, variables };
}

/** The query that runs a text with values for its names. */
export function queryOf(text: string, typed: Readonly<Record<string, string>>): SqlQuery {
  return withValues({ kind: 'HogQLQuery', query: text }, typed);
}
