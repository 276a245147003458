/** JSON values as other languages write them. */

/** JSON is JavaScript; the lines after the first stand `indent` further in. */
export function jsValue(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** A text in single quotes, which JavaScript and Python read alike. */
export function jsText(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inside}'`;
}

/** A text that the shell takes as one word, whatever stands in it. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JSON value as a Python expression; Python reads every escape that JSON has. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, inner]) => `${pythonValue(key)}: ${pythonValue(inner)}`);
    return `{${entries.join(', ')}}`;
  }
  return typeof value === 'string' ? jsText(value) : JSON.stringify(value);
}

/** A JSON value as a Go expression. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return `[]any{${value.map(goValue).join(', ')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, inner]) => `${goValue(key)}: ${goValue(inner)}`);
    return `map[string]any{${entries.join(', ')}}`;
  }
  return JSON.stringify(value);
}
