/** A variable of the project as it is now. */
export interface KnownVariable {
  readonly id: string;
  readonly codeName: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The variables of a dashboard under their current IDs: a variable that was deleted and recreated is found by its
 * `code_name` (management contract 3.1). An entry without a variable stays unchanged.
 */
export function latestVariables(variables: Json, known: readonly KnownVariable[]): Record<string, unknown> {
  const ids = new Set(known.map(({ id }) => id));
  const byCodeName = new Map(known.map(({ id, codeName }) => [codeName, id]));
  const latest = new Map(Object.entries(variables).filter(([id]) => ids.has(id)));
  for (const [id, variable] of Object.entries(variables)) {
    if (ids.has(id)) continue;
    const newId = byCodeName.get(codeNameOf(variable) ?? '');
    if (newId === undefined) latest.set(id, variable);
    else if (!latest.has(newId)) latest.set(newId, { ...(variable as Json), variableId: newId });
  }
  return Object.fromEntries(latest);
}

function codeNameOf(variable: unknown): string | null {
  if (typeof variable !== 'object' || variable === null) return null;
  const name = (variable as Json)['code_name'];
  return typeof name === 'string' ? name : null;
}
