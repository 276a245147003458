import { z } from 'zod';
import { parameter } from '../../../http/fields.contract.ts';

const MODES = ['force_cache', 'blocking', 'async', 'lazy_async', 'force_blocking', 'force_async'] as const;
/** True means force_blocking. */
const BOOLEANS = ['true', 'false', 'True', 'False', '1', '0'] as const;

/** How far results may come from what was computed earlier (management contract 3.4, 9.9). */
export function refreshParameter() {
  return parameter(z.enum([...MODES, ...BOOLEANS]));
}

/** The same in a body, where booleans are no words. */
export function refreshField() {
  return z.union([z.boolean(), z.enum([...MODES, ...BOOLEANS])]);
}
export type Refresh = z.output<ReturnType<typeof refreshField>>;
