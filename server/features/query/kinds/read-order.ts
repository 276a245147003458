import type { OrderExpr } from '../../../hogql/ast.ts';
import type { KindContext } from '../query-kind.ts';

/** Orders as tables name them: `timestamp DESC`, or with a leading minus, `-timestamp`. Throws invalid_input. */
export function readOrders(texts: readonly string[], context: KindContext): Promise<OrderExpr[]> {
  return Promise.all(
    texts.map((text) => {
      const descending = /^\s*-\s*([\w$.]+)\s*$/.exec(text)?.[1];
      return context.parse.order(descending === undefined ? text : `${descending} DESC`);
    }),
  );
}
