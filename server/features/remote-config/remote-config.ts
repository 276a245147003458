import type { ProjectRef } from '../../http/define-route.ts';
import type { RemoteConfig } from './remote-config.contract.ts';

/** What the decoder reads. posthog-js takes `gzip-js`; clients of 2021 look for `gzip` or `lz64` (contract 7.5). */
export const SUPPORTED_COMPRESSION = ['gzip', 'gzip-js', 'lz64'];

/** Surveys that pages of a project may show now; the same list while nothing has changed. */
export type SurveysOf = (projectId: number) => readonly object[];

/** The configuration of projects; the same object while nothing has changed, so that its text can be kept. */
export interface RemoteConfigs {
  /** What posthog-js reads when it starts (ingestion contract 10.1). */
  of(project: ProjectRef): RemoteConfig;
  /** The same beside flags (7.4, 8.2): of surveys it says only whether there are any. */
  besideFlags(project: ProjectRef): RemoteConfig;
}

export function createRemoteConfigs(surveysOf: SurveysOf): RemoteConfigs {
  const kept = new Map<
    number,
    { token: string; surveys: readonly object[]; of: RemoteConfig; besideFlags: RemoteConfig }
  >();

  function configsOf({ id, apiToken: token }: ProjectRef) {
    const surveys = surveysOf(id);
    const known = kept.get(id);
    if (known?.token === token && known.surveys === surveys) return known;
    const of = remoteConfig(token, surveys as Record<string, unknown>[]);
    const configs = { token, surveys, of, besideFlags: { ...of, surveys: surveys.length > 0 } };
    kept.set(id, configs);
    return configs;
  }

  return {
    of: (project) => configsOf(project).of,
    besideFlags: (project) => configsOf(project).besideFlags,
  };
}

/**
 * What a project must opt into is off. `hasFeatureFlags` is always true: with false posthog-js never asks for flags, so
 * one made later would not arrive.
 */
export function remoteConfig(token: string, surveys: readonly Record<string, unknown>[]): RemoteConfig {
  return {
    token,
    supportedCompression: SUPPORTED_COMPRESSION,
    hasFeatureFlags: true,
    captureDeadClicks: false,
    capturePerformance: false,
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    sessionRecording: false,
    heatmaps: false,
    surveys: surveys.length === 0 ? false : [...surveys],
    survey_config: null,
    defaultIdentifiedOnly: true,
    siteApps: [],
  };
}

/** The configuration as the script that posthog-js loads; it finds the object under the window's global name. */
export function remoteConfigScript(config: RemoteConfig): string {
  const entry = `{config:${javascriptValue(config)},siteApps:[]}`;
  return (
    '(function(w){w._POSTHOG_REMOTE_CONFIG=w._POSTHOG_REMOTE_CONFIG||{};' +
    `w._POSTHOG_REMOTE_CONFIG[${javascriptValue(config.token)}]=${entry}})(window);\n`
  );
}

/** JSON that older browsers read as JavaScript too: they take the two separators for line ends inside a string. */
function javascriptValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
