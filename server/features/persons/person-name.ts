/** Properties that name a person, in their order (management contract 9.3). */
export const NAME_PROPERTIES = [
  'email',
  'Email',
  '$email',
  'name',
  'Name',
  'username',
  'Username',
  'UserName',
] as const;

/** Of the distinct ids that SDKs make up: UUIDs, and the cookies of older posthog-js, which are longer. */
export const ANONYMOUS_ID_PATTERN = '^[0-9a-fA-F]+(-[0-9a-fA-F]+){4}$';
const ANONYMOUS_ID = new RegExp(ANONYMOUS_ID_PATTERN);

/**
 * How a person is called: the first property of `NAME_PROPERTIES` that says something, else the first distinct id that
 * does not look anonymous, else its id (management contract 9.3).
 */
export function personName(
  id: number | string,
  properties: Readonly<Record<string, unknown>>,
  distinctIds: readonly string[],
  /** The project's `person_display_name_properties`, which replace the usual ones where there are any. */
  chosen: readonly string[] | null = null,
): string {
  for (const key of chosen?.length ? chosen : NAME_PROPERTIES) {
    const text = textOf(properties[key]);
    if (text !== '') return text;
  }
  return distinctIds.find((distinctId) => !ANONYMOUS_ID.test(distinctId)) ?? String(id);
}

/** Only texts and numbers are names. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
