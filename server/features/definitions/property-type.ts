import { VALUE_KIND, type ValueKind } from '../../lib/value-kind.ts';

/** Types detected from values (PostHog's names); null while none was detected. */
export type PropertyType = 'String' | 'Numeric' | 'Boolean' | 'DateTime';

/** Flags, campaign parameters and answers are texts, whatever the first ones look like (as PostHog has it). */
const ALWAYS_TEXT = /^(?:utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response)/i;
/** Under such a name a number of the right size is an instant. */
const NAMES_INSTANT = /time|date|[_-]at$|(?:created|updated)at$/i;

/** The type of a property of this name with a value of this kind; null when the value has none. */
export function propertyTypeOf(name: string, kind: ValueKind): PropertyType | null {
  if (kind === VALUE_KIND.nothing) return null;
  if (ALWAYS_TEXT.test(name)) return 'String';
  switch (kind) {
    case VALUE_KIND.text:
      return 'String';
    case VALUE_KIND.number:
      return 'Numeric';
    case VALUE_KIND.instantNumber:
      return NAMES_INSTANT.test(name) ? 'DateTime' : 'Numeric';
    case VALUE_KIND.dateText:
      return 'DateTime';
    default:
      return 'Boolean';
  }
}

/** The narrowest type that values of both types fit: a type that has become String stays it. */
export function widerType(one: PropertyType | null, other: PropertyType | null): PropertyType | null {
  if (one === null || one === other) return other;
  return other === null ? one : 'String';
}
