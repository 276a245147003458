import type { RemoteConfig } from './remote-config.contract.ts';

/** What the decoder reads. posthog-js takes `gzip-js`; clients of 2021 look for `gzip` or `lz64` (contract 7.5). */
export const SUPPORTED_COMPRESSION = ['gzip', 'gzip-js', 'lz64'];

/**
 * The configuration of a project: the one source of `/array/<token>/config`, of `/decide` and of `/flags?config=true`.
 * What a project must opt into is off. `hasFeatureFlags` is always true: with false posthog-js never asks for flags,
 * so one made later would not arrive.
 */
export function remoteConfig(token: string): RemoteConfig {
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
    surveys: false,
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
