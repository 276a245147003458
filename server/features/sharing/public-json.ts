import { hideEmails, hideEmailsByNumber, type HideEmails } from './hide-emails.ts';

/** Fields that hold a person: a public page names no user (management contract 4.3). */
const PEOPLE = new Set(['created_by', 'last_modified_by']);
/** Fields that describe the query; their values may be an e-mail address. */
const QUESTIONS = new Set([
  'query',
  'filters',
  'filters_overrides',
  'variables',
  'hogql',
  'query_status',
  'warnings',
  'error',
  // Derived from the query.
  'derived_name',
  // Of the series in an answer.
  'action',
  'filter',
]);
/** Fields of an answer: groups that are named by an address stay apart, so each address has its number. */
const ANSWERS = new Set(['result', 'columns', 'types']);

/**
 * The same answer for all visitors: it names no user as its author, and hides e-mail addresses in queries and
 * results. Names, descriptions and texts stay as their authors wrote them.
 */
export function publicJsonOf<T>(answer: T): T {
  const byNumber = hideEmailsByNumber();
  const hidingOf = (key: string) => {
    if (QUESTIONS.has(key)) return hideEmails;
    return ANSWERS.has(key) ? byNumber : null;
  };
  return withoutPeople(answer, null, hidingOf) as T;
}

type HidingOf = (key: string) => HideEmails | null;

function withoutPeople(value: unknown, hide: HideEmails | null, hidingOf: HidingOf): unknown {
  if (typeof value === 'string') return hide === null ? value : hide(value);
  if (Array.isArray(value)) return value.map((item) => withoutPeople(item, hide, hidingOf));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (hide === null && PEOPLE.has(key)) return [key, null];
    return [hide === null ? key : hide(key), withoutPeople(inner, hide ?? hidingOf(key), hidingOf)];
  });
  return Object.fromEntries(entries);
}
