import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
import { MEDIA_TYPES, sendFile } from './export/export-file.ts';
import { readAsked } from './override-query.ts';
import { exportBody } from './kinds/query-request.contract.ts';
import { QUERY_FAILURES } from './query.routes.ts';
import type { Queries } from './query.service.ts';

/** Whole answers as files, with more rows than an answer holds. */
export function queryExportRoutes({ queries }: { queries: Pick<Queries, 'export'> }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: 'P/burrow/query/export/',
      auth: 'key',
      scope: ['query:read'],
      summary: 'Exports the result of a query as CSV, JSON or Parquet.',
      jsonOnly: true,
      body: exportBody,
      response: null,
      files: Object.values(MEDIA_TYPES),
      errors: QUERY_FAILURES,
      handle: async ({ actor, project, body, signal }) => {
        const { format, filters_override: filters, variables_override: variables } = body;
        const query = readAsked(body.query, { filters, variables });
        const file = await queries.export(project, query, { actor, format, signal });
        const headers = {
          'Content-Type': MEDIA_TYPES[format],
          'Content-Length': String(file.bytes),
          'Content-Disposition': `attachment; filename="export.${format}"`,
          'Cache-Control': 'no-store',
        };
        if (!signal.aborted) return Reply.stream(headers, (res) => sendFile(file, res));
        await file.remove();
        return Reply.empty(200);
      },
    }),
  ];
}
