/** The parser of the grammar, as @posthog/hogql-parser gives it. Each answer is JSON: a tree, or what is wrong. */
export interface Grammar {
  parseSelect(text: string): string;
  parseExpr(text: string): string;
}

/** A node of the grammar's tree. */
export interface GrammarNode {
  node: string;
  start?: { offset: number };
  end?: { offset: number };
  [key: string]: unknown;
}

export interface GrammarError {
  error: true;
  type: 'SyntaxError' | 'ParsingError' | 'NotImplementedError';
  message: string;
  /** In code points. */
  start: { offset: number };
}
