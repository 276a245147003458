/** `{name}` and `{variables.name}`; what stands in quotes is text, and `{filters}` has values without anybody's help. */
const PIECES = /'(?:[^'\\]|\\.)*'|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*((?:variables\.)?[A-Za-z_]\w*)\s*\}/g;

/** The names in braces that a query needs values for, each once, in order. */
export function variableNames(text: string): string[] {
  const names = [...text.matchAll(PIECES)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)].filter((name) => name !== 'filters');
}

/** What somebody typed, as a value: numbers, `true`, `false`, `null` and lists are what they look like, all else is text. */
export function variableValue(typed: string): unknown {
  const text = typed.trim();
  if (!/^(?:-?\d+(?:\.\d+)?|true|false|null|\[.*\])$/s.test(text)) return typed;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return typed;
  }
}

/** The query that runs a text with values for its names. */
export function queryOf(text: string, typed: Readonly<Record<string, string>>) {
  const values = Object.fromEntries(
    variableNames(text).map((name) => [name, variableValue(typed[name] ?? '')]),
  );
  if (Object.keys(values).length === 0) return { kind: 'HogQLQuery', query: text };
  const variables = Object.entries(values)
    .filter(([name]) => name.startsWith('variables.'))
    .map(([name, value]) => {
      const code = name.slice('variables.'.length);
      return [code, { code_name: code, value }];
    });
  return { kind: 'HogQLQuery', query: text, values, variables: Object.fromEntries(variables) };
}
