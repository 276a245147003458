import { readRelativeDate } from '../../lib/relative-date.contract.ts';
import { z } from 'zod';
import { dateTimeField } from '../../http/date-time.contract.ts';
import { booleanField } from '../../http/fields.contract.ts';

/** A link by which any visitor can look at a dashboard or an insight (management contract 4.2): exactly these keys (D11). */
const sharingConfiguration = z.strictObject({
  created_at: z.iso.datetime(),
  enabled: z.boolean(),
  /** A credential. */
  access_token: z.string(),
});
export type SharingConfigurationJson = z.output<typeof sharingConfiguration>;

/** How the page looks; keys that are none of these are dropped. */
export const shareSettings = z.object({
  whitelabel: z.boolean().optional(),
  noHeader: z.boolean().optional(),
  showInspector: z.boolean().optional(),
  legend: z.boolean().optional(),
  detailed: z.boolean().optional(),
  hideExtraDetails: z.boolean().optional(),
  /** Viewers may change dates and filters, each for themselves; of a dashboard. */
  viewerFilters: z.boolean().optional(),
  theme: z.string().max(100).optional(),
});
export type ShareSettings = z.output<typeof shareSettings>;

const patchSharingBody = z.object({
  enabled: booleanField().optional(),
  settings: z
    .unknown()
    .transform((value, context): ShareSettings | null => {
      const parsed = shareSettings.nullable().safeParse(value);
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: 'These settings are not valid for a shared page.' });
      return z.NEVER;
    })
    .optional(),
  password_required: z
    .unknown()
    .refine((value) => value === undefined || value === null || value === false, {
      message: 'Password protection is not supported for shared links.',
    })
    .optional()
    .meta({ example: false }),
});
export type PatchSharing = z.output<typeof patchSharingBody>;

/** When a link ends by itself, beside the three keys that clients of others know. */
const sharingExpiry = z.strictObject({
  enabled: z.boolean(),
  /** null: it has no end. */
  expires_at: z.string().nullable(),
});
export type SharingExpiryJson = z.output<typeof sharingExpiry>;

const sharingExpiryBody = z.object({ expires_at: dateTimeField().nullable() });

/** What a link is beside the three keys that clients of others know. */
const sharingLink = z.strictObject({
  ...sharingExpiry.shape,
  /** Until when the token before the present one works; null: it does not. */
  old_until: z.string().nullable(),
  settings: shareSettings,
});
export type SharingLinkJson = z.output<typeof sharingLink>;

/** Everything that is public on this machine. */
const machineSharing = z.strictObject({
  /** While true, links cannot be opened or created. */
  off: z.boolean(),
  links: z.array(
    z.strictObject({
      kind: z.enum(['dashboard', 'insight']),
      id: z.int(),
      project_id: z.int(),
      project_name: z.string(),
      name: z.string().nullable(),
      created_at: z.string(),
      expires_at: z.string().nullable(),
    }),
  ),
});
export type MachineSharing = z.output<typeof machineSharing>;
export type SharedThing = MachineSharing['links'][number];

const machineSharingBody = z.object({ off: booleanField() });

const MAX_TEXT = 200;
const MAX_VALUES = 20;

/** Operators for viewers: whole values and numbers alone, so that no text is guessed letter by letter. */
const viewerOperator = z.enum(['exact', 'is_not', 'gt', 'gte', 'lt', 'lte', 'is_set', 'is_not_set']);
export type ViewerOperator = z.output<typeof viewerOperator>;

const scalar = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar).min(1).max(MAX_VALUES)]);
export type ViewerValue = z.output<typeof value>;

/** A day, a moment, or a relative date such as `-7d` or `mStart`. */
const date = z
  .string()
  .refine(
    (text) =>
      readRelativeDate(text, { digits: 4, minus: 'optional', edges: true }) !== null ||
      /^(?:all|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)$/.test(text),
    'No date.',
  );

/** A condition of the dashboard as a viewer changes it: it is named by its place and its property. */
const viewerChange = z.union([
  z.strictObject({ at: z.int().min(0), key: z.string(), off: z.literal(true) }),
  z.strictObject({ at: z.int().min(0), key: z.string(), operator: viewerOperator, value: value.optional() }),
]);
export type ViewerChange = z.output<typeof viewerChange>;

/** The choices of a viewer of a shared dashboard, from `filters` of its address. */
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

const dashboardParams = z.object({ dashboard_id: z.string() });
const insightParams = z.object({ insight_id: z.string() });

export const sharingApi = {
  'GET P/dashboards/:dashboard_id/sharing/': { params: dashboardParams, response: sharingConfiguration },
  'PATCH P/dashboards/:dashboard_id/sharing/': {
    params: dashboardParams,
    body: patchSharingBody,
    response: sharingConfiguration,
  },
  'POST P/dashboards/:dashboard_id/sharing/refresh/': {
    params: dashboardParams,
    response: sharingConfiguration,
  },
  'GET P/burrow/dashboards/:dashboard_id/sharing_link/': { params: dashboardParams, response: sharingLink },
  'DELETE P/burrow/dashboards/:dashboard_id/sharing_link/old/': { params: dashboardParams, response: null },
  'GET P/burrow/dashboards/:dashboard_id/sharing_expiry/': {
    params: dashboardParams,
    response: sharingExpiry,
  },
  'PUT P/burrow/dashboards/:dashboard_id/sharing_expiry/': {
    params: dashboardParams,
    body: sharingExpiryBody,
    response: sharingExpiry,
  },
  'GET P/insights/:insight_id/sharing/': { params: insightParams, response: sharingConfiguration },
  'PATCH P/insights/:insight_id/sharing/': {
    params: insightParams,
    body: patchSharingBody,
    response: sharingConfiguration,
  },
  'POST P/insights/:insight_id/sharing/refresh/': { params: insightParams, response: sharingConfiguration },
  'GET P/burrow/insights/:insight_id/sharing_link/': { params: insightParams, response: sharingLink },
  'DELETE P/burrow/insights/:insight_id/sharing_link/old/': { params: insightParams, response: null },
  'GET P/burrow/insights/:insight_id/sharing_expiry/': { params: insightParams, response: sharingExpiry },
  'PUT P/burrow/insights/:insight_id/sharing_expiry/': {
    params: insightParams,
    body: sharingExpiryBody,
    response: sharingExpiry,
  },
  'GET /api/burrow/sharing/': { response: machineSharing },
  'PUT /api/burrow/sharing/': { body: machineSharingBody, response: machineSharing },
};
