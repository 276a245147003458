import { scalar } from '../../value-type.ts';
import { CHANNEL_LOOKUPS, type LookupTable } from '../channel-sources.ts';
import { typed } from '../define-row.ts';
import type { FunctionRow } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText } from '../read-argument.ts';
import { registrableDomain } from './urls.ts';

/** SQL for the value of a name; NULL for one that is not in the table. */
function valueOf(name: string, table: LookupTable): string {
  const cases = table.map(
    ([value, names]) =>
      `WHEN regexp_full_match(${name}, '${names.join('|').replaceAll('.', '[.]')}') THEN '${value}'`,
  );
  return `CASE ${cases.join(' ')} END`;
}

/** PostHog's functions behind its channel types: a source as it is written, then its site; a medium as it is written. */
export const channels: readonly FunctionRow[] = Object.entries(CHANNEL_LOOKUPS).map(
  ([name, { table, ofSites }]) =>
    typed(name, 1, ([argument], call) => {
      const sql = once(asText(argument!, call, 0).sql, call, (source) => {
        if (!ofSites) return `(${valueOf(source, table)})`;
        const [one, value] = [call.fresh(), call.fresh()];
        const found = `list_transform([${source}, ${registrableDomain(source)}], lambda ${one}: ${valueOf(one, table)})`;
        return `list_filter(${found}, lambda ${value}: ${value} IS NOT NULL)[1]`;
      });
      return { sql, type: scalar('String', true) };
    }),
);
