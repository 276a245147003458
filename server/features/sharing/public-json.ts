/** Fields that hold a person: a page that anybody can see names nobody (management contract 4.3). */
const PEOPLE = new Set(['created_by', 'last_modified_by']);
/** Fields that say what is asked; their values may be somebody's address. */
const QUESTIONS = new Set([
  'query',
  'filters',
  'filters_overrides',
  'variables',
  'hogql',
  'query_status',
  'error',
  // Of the series in an answer.
  'action',
  'filter',
]);

const EMAIL = /[^\s"'<>()[\],;:@]+@[^\s"'<>()[\],;:@]+\.[^\s"'<>()[\],;:@]+/g;

/**
 * The same answer for everybody: nobody is named as its maker, and addresses of e-mail are hidden in what it asks. Names,
 * descriptions and texts stay as their authors wrote them.
 */
export function publicJsonOf<T>(answer: T): T {
  return withoutPeople(answer, false) as T;
}

function withoutPeople(value: unknown, isQuestion: boolean): unknown {
  if (typeof value === 'string') return isQuestion ? value.replace(EMAIL, '[hidden]') : value;
  if (Array.isArray(value)) return value.map((item) => withoutPeople(item, isQuestion));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (!isQuestion && PEOPLE.has(key)) return [key, null];
    const shownKey = isQuestion ? key.replace(EMAIL, '[hidden]') : key;
    return [shownKey, withoutPeople(inner, isQuestion || QUESTIONS.has(key))];
  });
  return Object.fromEntries(entries);
}
