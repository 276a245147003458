import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Order } from './commit-participant.ts';

/** Takes an order through its steps on the connection; throws, after `rolledBack`, what any of them has thrown. */
export async function carryOut<T>(connection: DuckDBConnection, order: Order<T>): Promise<T> {
  let result: T;
  try {
    await order.read?.();
    result = await inTransaction(connection, () => order.work());
  } catch (error) {
    order.rolledBack();
    throw error;
  }
  order.committed?.();
  return result;
}
