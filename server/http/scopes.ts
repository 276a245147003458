/** Whether the scopes granted satisfy one of those needed: `*` grants everything, `x:write` satisfies `x:read`. */
export function hasScope(granted: readonly string[], needed: readonly string[]): boolean {
  if (needed.length === 0 || granted.includes('*')) return true;
  return needed.some(
    (scope) =>
      granted.includes(scope) ||
      (scope.endsWith(':read') && granted.includes(scope.replace(/read$/, 'write'))),
  );
}
