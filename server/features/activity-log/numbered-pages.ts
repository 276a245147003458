import { readPage, type PageRequest } from '../../http/paging.ts';

const PAGE_LENGTH = 10;

/** Reads `limit` (10) and `page` (from 1 on), as the history of an object has them (management contract 9.1). */
export function readNumberedPage(search: URLSearchParams): PageRequest & { page: number } {
  const { limit } = readPage(search, PAGE_LENGTH);
  const asked = /^\d{1,9}$/.test(search.get('page') ?? '') ? Number(search.get('page')) : 1;
  const page = Math.max(1, asked);
  return { limit, page, offset: (page - 1) * limit };
}

/** The envelope of a numbered page; `url` is the request's. */
export function numberedPageOf<T>(url: URL, results: T[], count: number) {
  const { limit, page, offset } = readNumberedPage(url.searchParams);
  const at = (number: number): string => {
    const other = new URL(url);
    other.searchParams.set('limit', String(limit));
    other.searchParams.set('page', String(number));
    return other.href;
  };
  return {
    count,
    total_count: count,
    next: offset + limit < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  };
}
