import { z } from 'zod';
import type { ConditionTrace, FlagTrace, PropertyTrace } from '../../conditions/flags/trace.contract.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { defineTool, inPath, page, pageText, pick, ToolError, type Tool, type ToolApi } from './tool.ts';

const LIST_FIELDS = ['id', 'key', 'name', 'active', 'status', 'tags', 'last_called_at'];
const FLAG_FIELDS = [...LIST_FIELDS, 'filters', 'version', 'evaluation_runtime', 'created_at', 'updated_at'];
const PAGE = 200;
const KEY = z.string().min(1).max(400);
const which = {
  id: z.int().min(1).optional(),
  key: KEY.optional().describe('Instead of the ID'),
};
const properties = z.record(z.string(), z.unknown()).optional();

interface Flag {
  id: number;
  key: string;
  [name: string]: unknown;
}

async function findFlag(
  api: ToolApi,
  { id, key }: { id?: number | undefined; key?: string | undefined },
): Promise<Flag> {
  if (id !== undefined) return await api.get<Flag>(`P/feature_flags/${inPath(id)}/`);
  if (key === undefined) throw new ToolError('Name the flag by its id or its key.');
  // The search finds keys that contain this one, too.
  for (let offset = 0; ; offset += PAGE) {
    const query = { search: key, limit: PAGE, offset };
    const { results, next } = await api.get<{ results: Flag[]; next: string | null }>(
      'P/feature_flags/',
      query,
    );
    const flag = results.find((one) => one.key === key);
    if (flag !== undefined) return await api.get<Flag>(`P/feature_flags/${flag.id}/`);
    if (next === null) throw new ToolError(`There is no flag with the key ${key}.`);
  }
}

const writable = {
  name: z.string().max(10_000).optional().describe('What the flag is for'),
  active: z.boolean().optional(),
  filters: z
    .looseObject({})
    .optional()
    .describe(
      'Condition sets, of which the first that matches decides: {"groups":[{"properties":[{"key":"email","type":"person","operator":"icontains","value":"@example.com"}],"rollout_percentage":50}],"multivariate":{"variants":[{"key":"control","rollout_percentage":50},{"key":"test","rollout_percentage":50}]},"payloads":{}}',
    ),
  tags: z.array(z.string().max(200)).max(100).optional(),
};

/** Tools that read, explain and edit feature flags. */
export const flagTools: readonly Tool[] = [
  defineTool({
    name: 'feature-flag-get-all',
    title: 'List feature flags',
    description: 'Lists feature flags by key or name.',
    scope: 'feature_flag:read',
    input: z.object({ search: z.string().max(400).optional(), active: z.boolean().optional(), ...page }),
    run: async (input, api) => pageText(await api.get('P/feature_flags/', input), LIST_FIELDS, input),
  }),
  defineTool({
    name: 'feature-flag-get-definition',
    title: 'Read a feature flag',
    description: 'Reads one flag with its condition sets, variants and payloads.',
    scope: 'feature_flag:read',
    input: z.object(which),
    run: async (input, api) => stringifyExactly(pick(await findFlag(api, input), FLAG_FIELDS)),
  }),
  defineTool({
    name: 'feature-flag-explain',
    title: 'Explain a flag for a user',
    description:
      'Says which value a flag has for one user now, and why: each condition set with its properties, where their values come from, and the rollout. Counts nothing and records no exposure.',
    scope: 'feature_flag:read',
    input: z.object({
      key: KEY,
      distinct_id: z.string().min(1).max(400),
      groups: z.record(z.string(), z.string()).optional().describe('Group keys by type: {"company":"acme"}'),
      person_properties: properties.describe(
        'As an SDK would send them, in addition to those that are stored',
      ),
      group_properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    }),
    run: async ({ key, ...request }, api) => {
      const body = { ...request, flag_keys_to_evaluate: [key] };
      const explained = await api.post<Explained>('P/burrow/flags/evaluate/', body);
      const trace = explained.traces[key];
      if (trace === undefined) {
        const error = explained.errors.find((one) => one.key === key);
        throw new ToolError(
          error === undefined
            ? `There is no flag with the key ${key}.`
            : `The flag ${key} cannot be evaluated: ${error.cause}.`,
        );
      }
      return explanation(key, request.distinct_id, explained, trace);
    },
  }),
  defineTool({
    name: 'create-feature-flag',
    title: 'Create a feature flag',
    description: 'Creates a feature flag. Without filters it is on for the given share of all users.',
    scope: 'feature_flag:write',
    writes: true,
    input: z.object({
      key: KEY.regex(/^[\w-]+$/),
      ...writable,
      rollout_percentage: z.number().min(0).max(100).optional(),
    }),
    run: async (input, api) => {
      const body = { ...input, _should_create_usage_dashboard: false };
      return stringifyExactly(pick(await api.post('P/feature_flags/', body), FLAG_FIELDS));
    },
  }),
  defineTool({
    name: 'update-feature-flag',
    title: 'Change a feature flag',
    description:
      'Changes a feature flag; what is not named stays. `filters` replaces all condition sets, so read them first.',
    scope: 'feature_flag:write',
    writes: true,
    destructive: true,
    input: z.object({ ...which, ...writable }),
    run: async ({ id, key, ...body }, api) => {
      const flag = await findFlag(api, { id, key });
      return stringifyExactly(pick(await api.patch(`P/feature_flags/${flag.id}/`, body), FLAG_FIELDS));
    },
  }),
  defineTool({
    name: 'delete-feature-flag',
    title: 'Delete a feature flag',
    description: 'Deletes a feature flag. It can be restored in the console.',
    scope: 'feature_flag:write',
    writes: true,
    destructive: true,
    input: z.object(which),
    run: async (input, api) => {
      const flag = await findFlag(api, input);
      await api.patch(`P/feature_flags/${flag.id}/`, { deleted: true });
      return `The flag ${flag.key} is deleted.`;
    },
  }),
];

interface Explained {
  answer: {
    flags: Record<string, { enabled: boolean; variant: string | null; metadata: { payload: string | null } }>;
  };
  traces: Record<string, FlagTrace>;
  errors: { key: string; cause: string }[];
  person: { uuid: string; name: string } | null;
}

const DECIDED_BY: Readonly<Record<FlagTrace['decided_by'], string>> = {
  disabled: 'the flag is disabled',
  override: 'a local override sets it on this machine',
  dependency: 'it depends on a flag that does not exist',
  enrollment: 'the user has opted in to, or out of, its early access feature',
  holdout: 'the user is in a holdout',
  condition: 'a condition set matches',
  none: 'no condition set matches',
};

const OUTCOMES: Readonly<Record<ConditionTrace['outcome'], string>> = {
  match: 'matches',
  no_condition_match: 'does not match: a property is different',
  out_of_rollout_bound: 'does not match: the user is outside of the rollout',
  no_group_type: 'does not match: the request has no group of its type',
  missing_dependency: 'does not match: a flag that it depends on is missing',
};

function explanation(
  key: string,
  distinctId: string,
  { answer, person }: Explained,
  trace: FlagTrace,
): string {
  const details = answer.flags[key];
  // An inactive flag is not in answers, and has no value.
  const value = details === undefined || !details.enabled ? 'false' : (details.variant ?? 'true');
  const { identifier, holdout, enrollment, variant } = trace;
  const lines = [
    `${key} is ${value} for ${distinctId}: ${DECIDED_BY[trace.decided_by]}.`,
    `Person: ${person === null ? 'none is stored for this distinct ID' : `${person.name} (${person.uuid})`}. Hashed: ${identifier.kind} ${identifier.value ?? '(none)'}.`,
  ];
  if (details?.metadata.payload) lines.push(`Payload: ${details.metadata.payload}`);
  if (enrollment !== null)
    lines.push(
      `Early access: ${enrollment.property} is ${stringifyExactly(enrollment.got)} (${enrollment.source}).`,
    );
  if (holdout !== null)
    lines.push(`Holdout ${holdout.id}: ${holdout.matched ? 'the user is in it' : 'the user is not in it'}.`);
  for (const condition of trace.conditions) lines.push(...conditionLines(condition));
  if (variant !== null && variant.key !== null)
    lines.push(
      variant.by === 'override'
        ? `Variant ${variant.key}: set by the condition set.`
        : `Variant ${variant.key}: hash ${rounded(variant.hash)} is between ${rounded(variant.from)} and ${rounded(variant.to)}.`,
    );
  return lines.join('\n');
}

function conditionLines({
  index,
  properties: compared,
  rollout,
  outcome,
  decided,
}: ConditionTrace): string[] {
  const lines = [`Condition set ${index + 1} ${OUTCOMES[outcome]}${decided ? '. It decides' : ''}.`];
  for (const one of compared) lines.push(...propertyLines(one, '  '));
  if (rollout !== null && rollout.hash !== null)
    lines.push(
      `  ${rollout.matched ? '✓' : '✗'} rollout ${rollout.percentage} %: hash ${rounded(rollout.hash)} is ${rollout.matched ? 'within' : 'above'} ${rounded(rollout.threshold)}`,
    );
  return lines;
}

function propertyLines(
  { key, type, operator, wanted, got, source, matched, note, inside }: PropertyTrace,
  indent: string,
): string[] {
  const actual = source === 'none' ? 'it is not set' : `it is ${stringifyExactly(got)} (${source})`;
  const line = `${indent}${matched ? '✓' : '✗'} ${type} ${key} ${operator} ${stringifyExactly(wanted)}: ${actual}${note === null ? '' : `. ${note}`}`;
  return [line, ...inside.flatMap((one) => propertyLines(one, `${indent}  `))];
}

function rounded(value: number | null): string {
  return value === null ? 'none' : String(Math.round(value * 10_000) / 10_000);
}
