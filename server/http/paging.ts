export const DEFAULT_LIMIT = 100;
/** Larger pages are cut without a word, to protect memory (management contract 2.6). */
export const MAX_LIMIT = 10_000;

export interface PageRequest {
  limit: number;
  offset: number;
}

export interface Page<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

/** Reads `limit` and `offset`. An invalid or too small number counts as absent; it is never an error (2.6). */
export function readPage(search: URLSearchParams, defaultLimit = DEFAULT_LIMIT): PageRequest {
  const limit = wholeNumber(search.get('limit'));
  return {
    limit: limit === null || limit === 0 ? defaultLimit : Math.min(limit, MAX_LIMIT),
    offset: wholeNumber(search.get('offset')) ?? 0,
  };
}

/** The envelope of a list: `url` is the request's, `results` the rows of its page, `count` the number of all rows. */
export function pageOf<T>(url: URL, results: T[], count: number, defaultLimit = DEFAULT_LIMIT): Page<T> {
  const { limit, offset } = readPage(url.searchParams, defaultLimit);
  return {
    count,
    next: offset + limit < count ? withPage(url, limit, offset + limit) : null,
    previous: offset > 0 ? withPage(url, limit, Math.max(0, offset - limit)) : null,
    results,
  };
}

/** The request's page of a list that is whole in memory. */
export function pageOfAll<T>(url: URL, all: readonly T[]): Page<T> {
  const { limit, offset } = readPage(url.searchParams);
  return pageOf(url, all.slice(offset, offset + limit), all.length);
}

function withPage(url: URL, limit: number, offset: number): string {
  const page = new URL(url);
  page.searchParams.set('limit', String(limit));
  if (offset === 0) page.searchParams.delete('offset');
  else page.searchParams.set('offset', String(offset));
  return page.href;
}

function wholeNumber(text: string | null): number | null {
  if (text === null || !/^\s*\+?\d+\s*$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
