import { fail } from '../../errors.ts';
import type { Expr, Query } from '../../hogql/ast.ts';
import { describeHogqlError, HogqlError } from '../../hogql/errors.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import { mayNameActions, withActionConditions, type ActionCondition } from './action-calls.ts';
import type { KindContext } from './query-kind.ts';

/** Longer expressions are not quoted whole. */
const QUOTED = 60;

/**
 * Parses the small pieces of HogQL that stand in a query; what is wrong in one is told with its text. Actions that they name
 * are put into them as conditions.
 */
export function createLocatedParser(parser: HogqlParser, conditionOf: ActionCondition): KindContext['parse'] {
  const told = async <T>(text: string, read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error;
      const quoted = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
      throw fail('invalid_input', { detail: `In '${quoted}': ${describeHogqlError(error, text)}` });
    }
  };
  const named = async <T extends Query | Expr>(text: string, read: Promise<T>): Promise<T> =>
    mayNameActions(text) ? await withActionConditions(await read, conditionOf) : await read;
  const located = (text: string) => named(text, parser.expression(text));
  return {
    expression: (text) => told(text, located(text)),
    order: (text) => told(text, parser.order(text)),
    select: (text) => named(text, parser.select(text)),
    located,
  };
}
