import { stringifyExactly } from '../../../lib/exact-number.contract.ts';
/** What a flag is forced to answer on this machine. */
export interface Override {
  readonly id: string;
  readonly projectId: number;
  readonly flagKey: string;
  /** null: for everyone who has no override of their own. */
  readonly distinctId: string | null;
  /** true, false or the key of a variant. */
  readonly value: boolean | string;
  /** JSON text; null: what the flag itself gives with this value. */
  readonly payload: string | null;
  /** Unix milliseconds; null: until it is ended. */
  readonly expiresAt: number | null;
}

/** What a flag has to say about values that it can be forced to. */
export interface OverridableFlag {
  readonly key: string;
  readonly filters: {
    readonly multivariate?: { readonly variants: readonly { readonly key: string }[] } | null | undefined;
    readonly payloads?: Readonly<Record<string, unknown>> | null | undefined;
  };
}

/** A flag's answer, as its evaluation gives it. */
export interface OverriddenAnswer {
  readonly value: boolean | string;
  readonly variant: string | null;
  readonly payload: string | null;
  readonly reason: {
    readonly code: 'condition_match' | 'no_condition_match';
    readonly conditionIndex: null;
    readonly description: string;
  };
}

/** Keys of the flag's variants, in their order; empty for a flag that is on or off. */
export function variantsOf({ filters }: OverridableFlag): string[] {
  return filters.multivariate?.variants.map(({ key }) => key) ?? [];
}

/** Whether the flag can answer this value. */
export function canAnswer(flag: OverridableFlag, value: boolean | string): boolean {
  return typeof value === 'boolean' || variantsOf(flag).includes(value);
}

/**
 * The answer that an override makes of a flag, whatever its definition says, also of one that is inactive; null when the
 * flag no longer has the variant. Reason codes are PostHog's, which SDKs know; the sentence says that it was overridden.
 */
export function overriddenAnswer(flag: OverridableFlag, override: Override): OverriddenAnswer | null {
  const { value, distinctId } = override;
  if (!canAnswer(flag, value)) return null;
  const variant = typeof value === 'string' ? value : null;
  return {
    value,
    variant,
    payload: value === false ? null : (override.payload ?? ownPayload(flag, variant ?? 'true')),
    reason: {
      code: value === false ? 'no_condition_match' : 'condition_match',
      conditionIndex: null,
      description: `Overridden on this machine for ${distinctId === null ? 'everyone' : 'this distinct id'}`,
    },
  };
}

function ownPayload({ filters }: OverridableFlag, name: string): string | null {
  const payloads = filters.payloads ?? {};
  if (!Object.hasOwn(payloads, name)) return null;
  const payload = payloads[name];
  if (payload === null || payload === undefined) return null;
  return typeof payload === 'string' ? payload : stringifyExactly(payload);
}
