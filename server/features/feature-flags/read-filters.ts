import { isJsonObject, stringifyExactly } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import { safeParseExactly } from '../../http/exact-values.ts';
import { groupTypeOfCondition, type FlagFilters, type FlagVariant } from '../../conditions/index.ts';
import { checkProperty, storedProperty } from './check-property.ts';
import { sentFilters, type SentCondition, type SentFilters, type SentVariant } from './sent-filters.ts';

/** Percentages are decimals; their sum as binary fractions may miss 100 by less than this. */
const SUM_TOLERANCE = 1e-9;

/**
 * Checks filters as they were sent (management contract 9.1) and gives them as they are stored: what people wrote, but for
 * payloads that are objects and numbers that are compared, which become text. Whether cohorts and flags that they name
 * are there is checked elsewhere. Throws the first problem, always at `filters`.
 */
export function readFilters(sent: Readonly<Record<string, unknown>>): FlagFilters {
  const filters = readShape(sent);
  const variants = filters.multivariate?.variants ?? [];
  checkTargets(filters);
  checkVariants(variants);
  const keys = new Set(variants.map(({ key }) => key));
  for (const condition of filters.groups) {
    if (condition.variant && !keys.has(condition.variant))
      throw refused(`A condition uses the variant '${condition.variant}', which does not exist.`);
    condition.properties?.forEach(checkProperty);
  }
  const { payloads, multivariate } = filters;
  const rest: Record<string, unknown> = { ...filters, groups: filters.groups.map(storedCondition) };
  if (payloads) rest['payloads'] = readPayloads(payloads, variants.length === 0 ? null : keys);
  if (multivariate) rest['multivariate'] = { ...multivariate, variants: variants as FlagVariant[] };
  return rest as FlagFilters;
}

function readShape(sent: Readonly<Record<string, unknown>>): SentFilters {
  const parsed = safeParseExactly(sentFilters, sent);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw refused(`${['filters', ...path.map(String)].join('.')}: ${message}.`);
}

/** Conditions on groups look at that type of groups only; all others at persons, cohorts and flags. */
function checkTargets(filters: SentFilters): void {
  for (const condition of filters.groups) {
    const index = groupTypeOfCondition(condition, filters);
    for (const { type, group_type_index: own } of condition.properties ?? []) {
      if (index === null && type !== 'person' && type !== 'cohort' && type !== 'flag')
        throw refused('Conditions on persons can only use properties of type person, cohort and flag.');
      if (index !== null && (type !== 'group' || own !== index))
        throw refused(
          `Conditions on groups can only use properties of type group with group_type_index ${index}.`,
        );
    }
  }
}

function checkVariants(variants: readonly SentVariant[]): void {
  if (variants.length === 0) return;
  const sum = variants.reduce((total, { rollout_percentage }) => total + rollout_percentage, 0);
  if (Math.abs(sum - 100) > SUM_TOLERANCE)
    throw refused(`Variant percentages must add up to 100; they add up to ${sum}.`);
  const keys = new Set<string>();
  for (const { key } of variants) {
    if (keys.has(key)) throw refused(`The variant key '${key}' is used more than once.`);
    keys.add(key);
  }
}

function storedCondition(condition: SentCondition): SentCondition {
  if (!condition.properties) return condition;
  return { ...condition, properties: condition.properties.map(storedProperty) };
}

function refused(detail: string) {
  return fail('invalid_input', { attr: 'filters', detail });
}

/**
 * Payloads as they are stored: what is text must be JSON, and objects become JSON text. Their keys are those of the
 * variants, or `true` alone when the flag has none (null). Throws invalid_input at `filters`.
 */
function readPayloads(
  payloads: Readonly<Record<string, unknown>>,
  variants: ReadonlySet<string> | null,
): Record<string, unknown> {
  const keys = Object.keys(payloads);
  if (variants !== null && !keys.every((key) => variants.has(key)))
    throw refused('Payload keys must match variant keys.');
  if (variants === null && keys.some((key) => key !== 'true'))
    throw refused("Without variants, a payload can only have the key 'true'.");
  return Object.fromEntries(Object.entries(payloads).map(([key, value]) => [key, storedPayload(value)]));
}

function storedPayload(value: unknown): unknown {
  if (typeof value === 'string' && !isJson(value)) throw refused('A payload is not valid JSON.');
  return isJsonObject(value) ? stringifyExactly(value) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
