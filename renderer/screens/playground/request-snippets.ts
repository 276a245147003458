import { flagsRequestBody, type FlagContext, type FlagEndpoint } from '../../api/flag-explanations.api.ts';
import type { CodeLanguage } from '../../ui/code-tokens.ts';

/** The request of the playground as code for other programs. */
export interface RequestSnippet {
  id: string;
  label: string;
  language: CodeLanguage;
  code: string;
  /** Where the request of the SDK differs from that of the playground. */
  note?: string;
}

export interface SnippetRequest {
  /** Scheme, name and port, no slash at the end. */
  host: string;
  token: string;
  context: FlagContext;
  endpoint: FlagEndpoint;
  /** The flag that is looked at. */
  flagKey: string | null;
}

const IP_NOTE = 'The IP address is that of the SDK’s request, so it is not part of this code.';
const SERVER_NOTE = 'Server SDKs disable GeoIP by default; this code enables it.';

/** The same request as curl and for the SDKs whose calls for flags we know. */
export function requestSnippets(request: SnippetRequest): RequestSnippet[] {
  return [curl(request), browser(request), node(request), python(request), go(request)];
}

function curl({ host, token, context, endpoint }: SnippetRequest): RequestSnippet {
  const body = JSON.stringify(flagsRequestBody(token, context), null, 2);
  const lines = [
    `curl '${host}${endpoint.path}'`,
    `-H 'Content-Type: application/json'`,
    ...(context.ip === '' ? [] : [`-H ${shellText(`X-Forwarded-For: ${context.ip}`)}`]),
    `-d ${shellText(body)}`,
  ];
  return { id: 'curl', label: 'curl', language: 'shell', code: lines.join(' \\\n  ') };
}

function browser({ host, token, context, flagKey }: SnippetRequest): RequestSnippet {
  const { personProperties, groups, groupProperties } = context;
  const lines = [
    `import posthog from 'posthog-js'`,
    '',
    `posthog.init(${jsText(token)}, { api_host: ${jsText(host)} })`,
    `posthog.identify(${jsText(context.distinctId)})`,
    ...Object.entries(groups).map(([type, key]) => `posthog.group(${jsText(type)}, ${jsText(key)})`),
    ...(isEmpty(personProperties)
      ? []
      : [`posthog.setPersonPropertiesForFlags(${jsValue(personProperties)})`]),
    ...(isEmpty(groupProperties) ? [] : [`posthog.setGroupPropertiesForFlags(${jsValue(groupProperties)})`]),
    '',
    'posthog.onFeatureFlags(() => {',
    `  console.log(posthog.getFeatureFlag(${jsText(flagKey ?? 'your-flag')}))`,
    '})',
  ];
  const note = context.ip === '' ? {} : { note: IP_NOTE };
  return { id: 'js', label: 'posthog-js', language: 'js', code: lines.join('\n'), ...note };
}

function node({ host, token, context, flagKey }: SnippetRequest): RequestSnippet {
  const { personProperties, groups, groupProperties } = context;
  const options = [
    ...(isEmpty(groups) ? [] : [`  groups: ${jsValue(groups, 2)},`]),
    ...(isEmpty(personProperties) ? [] : [`  personProperties: ${jsValue(personProperties, 2)},`]),
    ...(isEmpty(groupProperties) ? [] : [`  groupProperties: ${jsValue(groupProperties, 2)},`]),
    '  disableGeoip: false,',
  ];
  const lines = [
    `import { PostHog } from 'posthog-node'`,
    '',
    `const posthog = new PostHog(${jsText(token)}, { host: ${jsText(host)} })`,
    '',
    `const value = await posthog.getFeatureFlag(${jsText(flagKey ?? 'your-flag')}, ${jsText(context.distinctId)}, {`,
    ...options,
    '})',
    '',
    'await posthog.shutdown()',
  ];
  return {
    id: 'node',
    label: 'posthog-node',
    language: 'js',
    code: lines.join('\n'),
    note: serverNote(context),
  };
}

function python({ host, token, context, flagKey }: SnippetRequest): RequestSnippet {
  const { personProperties, groups, groupProperties } = context;
  const lines = [
    'from posthog import Posthog',
    '',
    `posthog = Posthog(project_api_key=${jsText(token)}, host=${jsText(host)})`,
    '',
    'value = posthog.get_feature_flag(',
    `    ${jsText(flagKey ?? 'your-flag')},`,
    `    ${pythonValue(context.distinctId)},`,
    ...(isEmpty(groups) ? [] : [`    groups=${pythonValue(groups)},`]),
    ...(isEmpty(personProperties) ? [] : [`    person_properties=${pythonValue(personProperties)},`]),
    ...(isEmpty(groupProperties) ? [] : [`    group_properties=${pythonValue(groupProperties)},`]),
    '    disable_geoip=False,',
    ')',
    '',
    'posthog.shutdown()',
  ];
  return {
    id: 'python',
    label: 'Python',
    language: 'python',
    code: lines.join('\n'),
    note: serverNote(context),
  };
}

function go({ host, token, context, flagKey }: SnippetRequest): RequestSnippet {
  const { personProperties, groups, groupProperties } = context;
  const ofGroups = Object.entries(groupProperties).map(
    ([type, values]) => `\t\t${goValue(type)}: ${goProperties(values)},`,
  );
  const lines = [
    'client, err := posthog.NewWithConfig(',
    `\t${goValue(token)},`,
    `\tposthog.Config{Endpoint: ${goValue(host)}},`,
    ')',
    'if err != nil {',
    '\tpanic(err)',
    '}',
    'defer client.Close()',
    '',
    'value, err := client.GetFeatureFlag(posthog.FeatureFlagPayload{',
    `\tKey: ${goValue(flagKey ?? 'your-flag')},`,
    `\tDistinctId: ${goValue(context.distinctId)},`,
    ...(isEmpty(groups) ? [] : [`\tGroups: ${goProperties(groups, 'posthog.NewGroups()')},`]),
    ...(isEmpty(personProperties) ? [] : [`\tPersonProperties: ${goProperties(personProperties)},`]),
    ...(ofGroups.length === 0
      ? []
      : ['\tGroupProperties: map[string]posthog.Properties{', ...ofGroups, '\t},']),
    '})',
  ];
  return { id: 'go', label: 'Go', language: 'go', code: lines.join('\n') };
}

function serverNote(context: FlagContext): string {
  return context.ip === '' ? SERVER_NOTE : `${SERVER_NOTE} ${IP_NOTE}`;
}

function goProperties(values: Readonly<Record<string, unknown>>, make = 'posthog.NewProperties()'): string {
  const sets = Object.entries(values).map(([key, value]) => `.Set(${goValue(key)}, ${goValue(value)})`);
  return make + sets.join('');
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

/** JSON is JavaScript; the lines after the first stand `indent` further in. */
export function jsValue(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** A text in single quotes, which JavaScript and Python read alike. */
export function jsText(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inside}'`;
}

/** Any text as a single word of the shell. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JSON value as a Python expression; Python reads every escape that JSON has. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, inner]) => `${pythonValue(key)}: ${pythonValue(inner)}`);
    return `{${entries.join(', ')}}`;
  }
  return typeof value === 'string' ? jsText(value) : JSON.stringify(value);
}

/** A JSON value as a Go expression. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return `[]any{${value.map(goValue).join(', ')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, inner]) => `${goValue(key)}: ${goValue(inner)}`);
    return `map[string]any{${entries.join(', ')}}`;
  }
  return JSON.stringify(value);
}
