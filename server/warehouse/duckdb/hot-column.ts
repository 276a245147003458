import type { DuckDBConnection } from '@duckdb/node-api';
import { NUMBER_PATTERN } from '../../lib/number-text.ts';

/** A property of events as questions read it: as the text that it is in JSON, or as a number. */
export interface HotProperty {
  readonly name: string;
  readonly type: 'String' | 'Float64';
}

/** A column of `events` that holds such a property, in every row of it. */
export interface HotColumn extends HotProperty {
  readonly column: string;
}

/** A column as it stands in the file: until it is filled, its rows have to be read from JSON. */
export interface StoredHotColumn extends HotColumn {
  readonly isFilled: boolean;
  readonly asked: number;
}

/** Names longer than this, and those that no statement can carry, stay in JSON. */
const NAME_LIMIT = 400;

export function canBeHot({ name }: HotProperty): boolean {
  return name.length <= NAME_LIMIT && !name.includes('\0') && name.isWellFormed();
}

/** Tells apart what has a column each. */
export function hotKey({ name, type }: HotProperty): string {
  return `${type} ${name}`;
}

/** The value of a column, of the SQL for its property's text. Questions read the JSON of recent rows in the same way. */
export function hotValue({ type }: HotProperty, text: string): string {
  return type === 'String' ? text : `TRY_CAST(regexp_extract(${text}, '^${NUMBER_PATTERN}$') AS DOUBLE)`;
}

/** All columns of the file, filled or not. */
export async function readHotColumns(connection: DuckDBConnection): Promise<StoredHotColumn[]> {
  const found = await connection.runAndReadAll(
    'SELECT column_name, name, type, is_filled, asked FROM hot_columns ORDER BY length(column_name), column_name',
  );
  return found.getRows().map(([column, name, type, isFilled, asked]) => ({
    column: column as string,
    name: name as string,
    type: type as HotProperty['type'],
    isFilled: isFilled as boolean,
    asked: asked as number,
  }));
}
