const FRAGMENT = /^#token=(.+)$/;

/**
 * Reads the one-time token of a console link and removes it from the URL immediately, so that it is neither in the
 * history nor in a screenshot. `null` when the URL has none.
 */
export function takeSignInToken(page: Pick<Window, 'location' | 'history'>): string | null {
  const found = FRAGMENT.exec(page.location.hash);
  if (!found?.[1]) return null;
  page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search);
  return decode(found[1]);
}

/** A token with broken escapes was not created by Burrow; the server refuses it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
