/** What a key says it may do: `*`, or `<object>:<read|write>` (management contract 2.3). */
const SCOPE = /^(?:\*|[a-z][a-z_]*:(?:read|write))$/;

/** Whether the text has the form of a scope. Unknown objects pass, so that keys pasted from elsewhere work. */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/** Whether the scopes granted satisfy one of those needed: `*` grants everything, `x:write` satisfies `x:read`. */
export function hasScope(granted: readonly string[], needed: readonly string[]): boolean {
  if (needed.length === 0 || granted.includes('*')) return true;
  return needed.some(
    (scope) =>
      granted.includes(scope) ||
      (scope.endsWith(':read') && granted.includes(scope.replace(/read$/, 'write'))),
  );
}
