import type { Call, Expr, Node, Query } from '../../hogql/ast.ts';
import { HogqlError } from '../../hogql/errors.ts';
import { rewrite, visit } from '../../hogql/rewrite.ts';

/** What an action means of events, by its id or its name; null when the project has no such action. */
export type ActionCondition = (idOrName: number | string) => Promise<Expr | null>;

/** Whether a text may call `matchesAction`. */
export function mayNameActions(text: string): boolean {
  return /matchesaction/i.test(text);
}

/** A tree in which the condition of the action stands in place of each `matchesAction(…)`. Throws HogqlError. */
export async function withActionConditions<Part extends Query | Expr>(
  tree: Part,
  conditionOf: ActionCondition,
): Promise<Part> {
  const calls: Call[] = [];
  visit(tree, (node) => {
    if (isActionCall(node)) calls.push(node);
  });
  const conditions = new Map(
    await Promise.all(
      calls.map(async (node): Promise<[Call, Expr]> => [node, await condition(node, conditionOf)]),
    ),
  );
  return rewrite(tree, (node) => (isActionCall(node) ? conditions.get(node)! : node));
}

function isActionCall(node: Node): node is Call {
  return node.node === 'Call' && node.name.toLowerCase() === 'matchesaction' && node.args.length === 1;
}

async function condition(node: Call, conditionOf: ActionCondition): Promise<Expr> {
  const [argument] = node.args;
  const value = argument!.node === 'Constant' ? argument!.value : null;
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new HogqlError('The id or name of an action must be a constant.', argument);
  }
  const found = await conditionOf(value);
  if (found === null)
    throw new HogqlError(`Action ${JSON.stringify(value)} does not exist in this project.`, argument);
  return found;
}
