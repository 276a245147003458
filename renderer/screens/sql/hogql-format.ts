import { formatDialect, type DialectOptions } from 'sql-formatter';

/** Words that are written in capitals; any other word may be a name. */
const KEYWORDS =
  'AS AND OR NOT IN IS NULL LIKE ILIKE BETWEEN DESC ASC DISTINCT INTERVAL OVER ON USING TRUE FALSE NULLS FIRST LAST CASE WHEN THEN ELSE END GLOBAL COHORT'.split(
    ' ',
  );
const SIDES = [
  '',
  'INNER ',
  'LEFT ',
  'LEFT OUTER ',
  'RIGHT ',
  'FULL ',
  'CROSS ',
  'ASOF ',
  'LEFT ARRAY ',
  'ARRAY ',
];

function hogql(functions: readonly string[]): DialectOptions {
  return {
    name: 'hogql',
    tokenizerOptions: {
      reservedSelect: ['SELECT', 'SELECT DISTINCT'],
      reservedClauses: [
        'WITH',
        'FROM',
        'SAMPLE',
        'PREWHERE',
        'WHERE',
        'GROUP BY',
        'HAVING',
        'QUALIFY',
        'WINDOW',
        'ORDER BY',
        'LIMIT',
        'OFFSET',
        'PARTITION BY',
      ],
      reservedSetOperations: ['UNION ALL', 'UNION DISTINCT', 'UNION', 'EXCEPT', 'INTERSECT'],
      reservedJoins: SIDES.map((side) => `${side}JOIN`),
      reservedKeywordPhrases: ['ROWS BETWEEN', 'RANGE BETWEEN', 'IN COHORT', 'NOT IN COHORT'],
      reservedKeywords: KEYWORDS,
      reservedDataTypes: [],
      reservedFunctionNames: [...functions],
      extraParens: ['[]'],
      identChars: { first: '$', rest: '$' },
      stringTypes: ["''-qq-bs"],
      identTypes: ['""-qq-bs', '``'],
      lineCommentTypes: ['--'],
      paramTypes: { custom: [{ regex: String.raw`\{[^{}]*\}` }] },
      operators: ['%', '||', '??', '?', ':', '==', '<=>', '->', '=~', '!~', '=~*', '!~*'],
    },
    formatOptions: { onelineClauses: [] },
  };
}

/**
 * A query with one clause per line and its keywords in capitals. Throws for what cannot be read; nothing but white space
 * and the case of keywords may change.
 */
export function formatHogql(text: string, functions: readonly string[]): string {
  const formatted = formatDialect(text, { dialect: hogql(functions), keywordCase: 'upper', tabWidth: 2 })
    // The state of a function and its arguments are one call.
    .replace(/^((?:[^'\n]|'[^'\n]*')*?\w\([\d., ]*\)) \(/gm, '$1(');
  if (bare(formatted) !== bare(text)) throw new Error('The formatted query would differ from the typed one.');
  return formatted;
}

const bare = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase();
