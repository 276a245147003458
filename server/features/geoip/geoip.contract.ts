import { z } from 'zod';
import { textField } from '../../http/fields.contract.ts';

const source = z.enum(['country', 'city', 'none']);

/** Where places come from (management contract 9.12). */
const geoipSetting = z.object({
  source,
  /** The path of the user's own file, or null. */
  file: z.string().nullable(),
  /** What the file calls itself, and when its data were put together; null when none is open. */
  database_type: z.string().nullable(),
  built_at: z.string().nullable(),
  /** Who decided: `--geoip-file`, this setting, or none of both. */
  set_by: z.enum(['option', 'setting', 'default']),
  /** Why what was set is not what is used; null when it is. */
  problem: z.string().nullable(),
});
export type GeoipSetting = z.output<typeof geoipSetting>;

const setGeoipBody = z
  .object({ source, file: textField(4_096).nullish() })
  .superRefine(({ source: asked, file }, context) => {
    if (asked === 'city' && (file ?? null) === null) {
      context.addIssue({
        code: 'custom',
        path: ['file'],
        message: 'Specify the path of the .mmdb file.',
        params: { error: 'required' },
      });
    }
  });

export const geoipApi = {
  'GET /api/burrow/geoip/': { response: geoipSetting },
  'PUT /api/burrow/geoip/': { body: setGeoipBody, response: geoipSetting },
};
