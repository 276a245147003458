/** Fields that hold a person. */
const PEOPLE = new Set(['created_by', 'last_modified_by']);

/** The same answer with the e-mail addresses of its people left empty, wherever a person stands in it. */
export function withoutEmails<T>(answer: T): T {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      PEOPLE.has(key) && typeof value === 'object' && value !== null && 'email' in value
        ? { ...value, email: '' }
        : value,
    ),
  ) as T;
}
