/**
 * What a shared page shows at an address of its own, such as `/shared/shr…?filters={}`: the same as JSON, without anybody's
 * session. Throws what the server says.
 */
export async function askSharedPage<Shown>(
  { pathname, search }: { pathname: string; search: string },
  signal: AbortSignal,
): Promise<Shown> {
  const answer = await fetch(`${pathname.replace(/\/$/, '')}.json${search}`, { signal, credentials: 'omit' });
  const found = (await answer.json()) as Shown & { detail?: string };
  if (!answer.ok) throw new Error(found.detail ?? 'Query failed.');
  return found;
}
