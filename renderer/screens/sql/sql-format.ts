import type { InsightFormat } from '../../components/insights/use-insight-editor.ts';
import { sqlOf, sqlQueryOf, withSqlQuery, type SqlNode } from '../../insights/hogql/sql-node.ts';
import { typedValues, withValues } from './query-variables.ts';

/** Characters of a query in an address; a longer one stays on the page alone. */
const MAX_IN_ADDRESS = 8_000;

const EMPTY: SqlNode = { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: '' } };

/** The same node with another text. */
export function withText(node: SqlNode, text: string): SqlNode {
  return withSqlQuery(node, { ...sqlQueryOf(node), query: text });
}

/** The query that a node runs, with a value for each of its names. */
export function runnable(node: SqlNode) {
  const query = sqlQueryOf(node);
  return withValues(query, typedValues(query));
}

/** SQL with its chart settings. The address holds the text alone where nothing else is changed. */
export const sqlFormat: InsightFormat<SqlNode> = {
  read: sqlOf,
  write: (node) => ({ ...withSqlQuery(node, runnable(node)) }),
  empty: () => EMPTY,
  nameOf: () => 'SQL query',
  fromText(text, saved) {
    if (typeof text !== 'string') return null;
    return nodeOf(text) ?? withText(saved, text);
  },
  toText(node, saved) {
    const { query } = sqlQueryOf(node);
    if (sameNode(node, saved)) return undefined;
    const text = sameNode(node, withText(saved, query)) ? query : JSON.stringify(node);
    return text !== '' && text.length <= MAX_IN_ADDRESS ? text : undefined;
  },
};

/** Null for a text that is SQL and not a node as JSON. */
function nodeOf(text: string): SqlNode | null {
  if (!text.startsWith('{')) return null;
  try {
    return sqlOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function sameNode(one: SqlNode, other: SqlNode): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
