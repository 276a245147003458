/** A quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted SQL text literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
