import { z } from 'zod';

const MAX_TEXT = 200;
const MAX_VALUES = 20;

/** Relations that a viewer may ask for: whole values and numbers alone, so that no text is guessed letter by letter. */
const viewerOperator = z.enum(['exact', 'is_not', 'gt', 'gte', 'lt', 'lte', 'is_set', 'is_not_set']);
export type ViewerOperator = z.output<typeof viewerOperator>;

const scalar = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar).min(1).max(MAX_VALUES)]);
export type ViewerValue = z.output<typeof value>;

/** A day, a moment, or a relative date such as `-7d` or `mStart`. */
const date = z
  .string()
  .regex(
    /^(?:all|(?:-?\d{1,4})?[sMhdwmqy](?:Start|End)?|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)$/,
    'No date.',
  );

/** A condition of the dashboard as a viewer changes it: it is told by its place and its property. */
const viewerChange = z.union([
  z.strictObject({ at: z.int().min(0), key: z.string(), off: z.literal(true) }),
  z.strictObject({ at: z.int().min(0), key: z.string(), operator: viewerOperator, value: value.optional() }),
]);
export type ViewerChange = z.output<typeof viewerChange>;

/** What a viewer of a shared dashboard asks for in `filters` of its address. */
export const viewerAsk = z.strictObject({
  date_from: date.optional(),
  date_to: date.nullable().optional(),
  conditions: z.array(viewerChange).max(50).optional(),
  /** By the id of the variable. */
  variables: z.record(z.string(), scalar).optional(),
});
export type ViewerAsk = z.output<typeof viewerAsk>;

/** What a viewer may change, as it is now. */
export interface ViewerFilters {
  /** What the viewer has changed. */
  asked: ViewerAsk;
  conditions: {
    at: number;
    type: string;
    key: string;
    operator: ViewerOperator;
    value?: ViewerValue | undefined;
    /** The viewer has left it out. */
    off: boolean;
  }[];
  variables: {
    id: string;
    name: string;
    type: 'Number' | 'Boolean' | 'List' | 'Date';
    value: unknown;
    values: unknown[] | null;
  }[];
}
