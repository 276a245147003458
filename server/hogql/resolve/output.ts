import type { ValueType } from '../value-type.ts';

/** A column of a query's result; in SQL it is called c0, c1… by its place. */
export interface OutputColumn {
  readonly name: string;
  readonly type: ValueType;
}
