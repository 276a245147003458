import { z } from 'zod';
import { dateTimeField } from '../../http/date-time.contract.ts';
import { booleanField } from '../../http/fields.contract.ts';

/** A link by which anybody can look at a dashboard or an insight (management contract 4.2): exactly these keys (D11). */
export const sharingConfiguration = z.strictObject({
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
  /** Whoever looks may change dates and filters, for themselves alone; of a dashboard. */
  viewerFilters: z.boolean().optional(),
  theme: z.string().max(100).optional(),
});
export type ShareSettings = z.output<typeof shareSettings>;

export const patchSharingBody = z.object({
  enabled: booleanField().optional(),
  settings: z
    .unknown()
    .transform((value, context): ShareSettings | null => {
      const parsed = shareSettings.nullable().safeParse(value);
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: 'These are no settings of a shared page.' });
      return z.NEVER;
    })
    .optional(),
  password_required: z
    .unknown()
    .refine((value) => value === undefined || value === null || value === false, {
      message: 'A shared link cannot ask for a password.',
    })
    .optional()
    .meta({ example: false }),
});
export type PatchSharing = z.output<typeof patchSharingBody>;

/** When a link ends by itself, beside the three keys that clients of others know. */
export const sharingExpiry = z.strictObject({
  enabled: z.boolean(),
  /** null: it has no end. */
  expires_at: z.string().nullable(),
});
export type SharingExpiryJson = z.output<typeof sharingExpiry>;

export const sharingExpiryBody = z.object({ expires_at: dateTimeField().nullable() });

/** What a link is beside the three keys that clients of others know. */
export const sharingLink = z.strictObject({
  ...sharingExpiry.shape,
  /** Until when the token before the present one works; null: it does not. */
  old_until: z.string().nullable(),
  settings: shareSettings,
});
export type SharingLinkJson = z.output<typeof sharingLink>;

/** Everything that anybody can look at on this machine. */
export const machineSharing = z.strictObject({
  /** No link can be opened or made while this holds. */
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

export const machineSharingBody = z.object({ off: booleanField() });
