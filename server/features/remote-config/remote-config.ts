import { isJsonObject } from '../../lib/exact-number.contract.ts';
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

/** What clients have set of a project, by the names of the API; the same object while nothing has changed. */
export type SettingsOf = (projectId: number) => Settings;
type Settings = Readonly<Record<string, unknown>>;

interface KeptConfigs {
  token: string;
  surveys: readonly object[];
  settings: Settings;
  of: RemoteConfig;
  besideFlags: RemoteConfig;
}

export function createRemoteConfigs(surveysOf: SurveysOf, settingsOf: SettingsOf): RemoteConfigs {
  const kept = new Map<number, KeptConfigs>();

  function configsOf({ id, apiToken: token }: ProjectRef) {
    const surveys = surveysOf(id);
    const settings = settingsOf(id);
    const known = kept.get(id);
    if (known?.token === token && known.surveys === surveys && known.settings === settings) return known;
    const of = remoteConfig(token, surveys as Record<string, unknown>[], settings);
    const configs = { token, surveys, settings, of, besideFlags: { ...of, surveys: of.surveys !== false } };
    kept.set(id, configs);
    return configs;
  }

  return {
    of: (project) => configsOf(project).of,
    besideFlags: (project) => configsOf(project).besideFlags,
  };
}

/**
 * The configuration by the settings of the project. `hasFeatureFlags` is always true: with false posthog-js
 * never requests flags, so a flag created later would not arrive. Recordings are not stored, so `sessionRecording` is
 * false whatever is set.
 */
export function remoteConfig(
  token: string,
  surveys: readonly Record<string, unknown>[],
  settings: Settings,
): RemoteConfig {
  const isOn = (name: string): boolean => settings[name] === true;
  const autocaptureExceptions = isOn('autocapture_exceptions_opt_in');
  // The setting is false for a project that never had one, while its surveys are shown: only a false that was set counts.
  const hasSurveys = surveys.length > 0 && settings['surveys_opt_in'] !== false;
  return {
    token,
    supportedCompression: SUPPORTED_COMPRESSION,
    hasFeatureFlags: true,
    captureDeadClicks: isOn('capture_dead_clicks'),
    capturePerformance: capturePerformance(settings),
    autocapture_opt_out: isOn('autocapture_opt_out'),
    autocaptureExceptions,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions, suppressionRules: [] },
    sessionRecording: false,
    heatmaps: isOn('heatmaps_opt_in'),
    surveys: hasSurveys ? [...surveys] : false,
    survey_config: isJsonObject(settings['survey_config']) ? settings['survey_config'] : null,
    defaultIdentifiedOnly: true,
    siteApps: [],
  };
}

/** False when nothing is measured: posthog-js reads the object's fields otherwise. */
function capturePerformance(settings: Settings): RemoteConfig['capturePerformance'] {
  const network_timing = settings['capture_performance_opt_in'] === true;
  const web_vitals = settings['autocapture_web_vitals_opt_in'] === true;
  if (!network_timing && !web_vitals) return false;
  const metrics = settings['autocapture_web_vitals_allowed_metrics'];
  const isList = Array.isArray(metrics) && metrics.every((metric) => typeof metric === 'string');
  return { network_timing, web_vitals, web_vitals_allowed_metrics: isList ? metrics : null };
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
