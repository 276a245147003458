import { scalar } from '../../value-type.ts';
import { rowsOf, typed } from '../define-row.ts';
import type { FunctionRow } from '../function-row.ts';
import { asText } from '../read-argument.ts';
import { matchesSql, microsSql, numberSql, versionSql } from '../text-sql.ts';

const ofText = rowsOf(asText);

/** What property filters compare texts by; not of ClickHouse. */
export const filterRows: readonly FunctionRow[] = [
  ofText('textNumber', 1, scalar('Float64', true), numberSql),
  typed('textMicros', 1, ([text], call) => ({
    sql: microsSql(asText(text!, call).sql, call.timezone),
    type: scalar('Float64', true),
  })),
  // Any pattern that the database takes: those of flags were checked when they were stored.
  ofText('textMatches', 2, scalar('Bool'), matchesSql),
  // A struct that only comparisons look into.
  ofText('textVersion', 1, scalar('String', true), versionSql),
];
