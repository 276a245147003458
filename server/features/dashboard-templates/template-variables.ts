/** What a variable of a template needs to be filled in. */
export interface TemplateVariable {
  readonly id: string;
  readonly default: Readonly<Record<string, unknown>>;
}

/**
 * A value of a template with each text `{ID}` replaced by the default of the variable with that id; other texts stay as
 * they are, so that the reader of the query reports what was not filled in.
 */
export function withDefaults(value: unknown, variables: readonly TemplateVariable[]): unknown {
  const defaults = new Map(variables.map((variable) => [`{${variable.id}}`, variable.default]));
  return defaults.size === 0 ? value : replaceIn(value, defaults);
}

function replaceIn(value: unknown, defaults: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return defaults.has(value) ? defaults.get(value) : value;
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, defaults));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceIn(inner, defaults)]));
}
