/**
 * The data of a shared page at its own URL, such as `/shared/shr…?filters={}`, as JSON and without a session. Throws
 * the error of the server.
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
