import { Reply, type ManagementRoute, routesOf } from '../../../http/define-route.ts';
import { flagFileApi } from './flag-file.contract.ts';
import type { FlagFiles } from './flag-file.service.ts';
import { readFlagFile } from './read-flag-file.ts';

const route = routesOf(flagFileApi);

export function flagFileRoutes(files: FlagFiles): ManagementRoute[] {
  const read = (key: 'GET P/burrow/flag_file/' | 'GET P/burrow/feature_flags/export/') =>
    route(key, {
      auth: 'key',
      scope: ['feature_flag:read'],
      summary: 'Exports all flags and their cohorts as one JSON file.',
      handle: async ({ project, actor }) =>
        Reply.json(200, await files.export(actor, project.id), {
          'Content-Disposition': 'attachment; filename="flags.json"',
        }),
    });
  const write = (key: 'PUT P/burrow/flag_file/' | 'POST P/burrow/feature_flags/import/') =>
    route(key, {
      auth: 'key',
      scope: ['feature_flag:write'],
      summary: 'Imports flags from a file or a PostHog response, all or none. See `applied`.',
      jsonOnly: true,
      handle: ({ project, actor, query, body }) =>
        files.import(actor, project.id, readFlagFile(body), { dryRun: query.dry_run ?? false }),
    });
  // The console's paths beside that of management contract 9.12.
  return [
    read('GET P/burrow/flag_file/'),
    write('PUT P/burrow/flag_file/'),
    read('GET P/burrow/feature_flags/export/'),
    write('POST P/burrow/feature_flags/import/'),
  ];
}
