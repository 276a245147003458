// @ts-check
/**
 * A process of its own that answers in ClickHouse (npm `chdb`, which fails in worker threads). The first message opens a session
 * with `{ module, folder }`; each further one is a statement `{ id, sql, params }`. What it answers is JSONCompact, or the error.
 */
import { createRequire } from 'node:module';

/** @type {any} */
let session;

/** As PostHog sets them; numbers come as they are stored, moments in their zone. */
const SETTINGS = {
  transform_null_in: 1,
  join_use_nulls: 0,
  allow_experimental_join_condition: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_named_tuples_as_objects: 0,
  date_time_output_format: `'iso'`,
  session_timezone: `'UTC'`,
  max_execution_time: 20,
  max_partitions_per_insert_block: 0,
  max_memory_usage: 2_000_000_000,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 1_000_000,
  max_query_size: 10_000_000,
  // It makes `min(x - 1)` of no rows `min(x) - 1`, which is -1 where x is never NULL (docs/differences.md).
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  // Tables are tiny: what makes statements over large ones quick takes more time than they do.
  max_threads: 1,
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  query_plan_enable_optimizations: 0,
  query_profiler_real_time_period_ns: 0,
  query_profiler_cpu_time_period_ns: 0,
};

process.on('message', (/** @type {any} */ message) => {
  answer(message).then(
    (text) => process.send?.({ id: message.id, text }),
    (error) => process.send?.({ id: message.id, failure: String(error.message ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));

/** @param {any} message */
async function answer({ module, folder, sql, params }) {
  if (session === undefined) {
    const { Session } = createRequire(import.meta.url)(module);
    session = new Session(folder);
    for (const [name, value] of Object.entries(SETTINGS)) session.query(`SET ${name} = ${value}`);
    return '';
  }
  if (params === undefined || Object.keys(params).length === 0) return session.query(sql, 'JSONCompact');
  const result = await session.queryBindAsync(sql, params, { format: 'JSONCompact' });
  return result.text();
}
