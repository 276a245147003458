import { z } from 'zod';
import { booleanField, integerField, parameter } from '../../http/fields.contract.ts';

/** What a client chooses by the URL that it is given. */
const mcpQuery = z.object({
  /** Lists the tools that write too, as far as the key has their scopes. */
  allow_writes: parameter(booleanField()),
  /** The project of calls that name none. */
  project: parameter(integerField().pipe(z.int32().min(1))),
});

/** A message of JSON-RPC 2.0, which the SDK reads. */
const message = z
  .looseObject({ jsonrpc: z.literal('2.0') })
  .meta({ id: 'McpMessage', example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });

export const mcpApi = {
  'POST /mcp/': { query: mcpQuery, body: z.unknown(), response: message.optional() },
};
