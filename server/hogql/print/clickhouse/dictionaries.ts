import { CHANNEL_LOOKUPS } from '../../functions/channel-sources.ts';

/** Names of dictionaries that statements read with `dictGet`, so that their texts are not in each statement. */
export type ClickhouseDictionary = 'channel_lookups';

/** A dictionary of the warehouse in ClickHouse: the columns of its key, those of its values, and its rows of both. */
interface DictionaryRows {
  readonly key: string;
  readonly values: string;
  readonly rows: readonly (readonly string[])[];
}

/** The dictionaries that must be in the database of the tables. */
export const CLICKHOUSE_DICTIONARIES: Readonly<Record<ClickhouseDictionary, DictionaryRows>> = {
  channel_lookups: {
    key: 'function String, name String',
    values: 'value String',
    rows: Object.entries(CHANNEL_LOOKUPS).flatMap(([lookup, { table }]) =>
      table.flatMap(([value, names]) => names.map((name) => [lookup, name, value])),
    ),
  },
};
