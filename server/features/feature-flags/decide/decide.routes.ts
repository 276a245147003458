import type { IncomingHttpHeaders } from 'node:http';
import { validate as isUuid } from 'uuid';
import { fail } from '../../../errors.ts';
import { sendPublicJson } from '../../../http/send.ts';
import type { ProjectRef } from '../../../http/define-route.ts';
import type { FindProject } from '../../../http/project-of-query.ts';
import type { PublicRequest, PublicRoute } from '../../../http/public-route.ts';
import { queryValue } from '../../../http/query-text.ts';
import { readBody } from '../../../http/read-body.ts';
import type { TokenBuckets } from '../../../http/token-buckets.ts';
import type { NewId } from '../../../lib/ids.ts';
import { SUPPORTED_COMPRESSION, type RemoteConfig } from '../../remote-config/index.ts';
import { decideResponse } from './decide-response.ts';
import { decideRequested, flagsRequested, type RequestedAnswer } from './decide-version.ts';
import type { FlagsRequest } from './decide.contract.ts';
import { runtimeOf } from './evaluation-runtime.ts';
import { NO_FLAGS, type EvaluationOptions, type EvaluateFlags, type Evaluation } from './evaluation.ts';
import { openFlagsRequest } from './open-flags-request.ts';

export interface DecideDeps {
  findProject: FindProject;
  evaluateFlags: EvaluateFlags;
  /** The configuration of a project; the same object while nothing has changed. */
  remoteConfig: (project: ProjectRef) => RemoteConfig;
  newId: NewId;
  /** Limit of any body as it is sent, in bytes; these requests have a lower one of their own. */
  maxBodyBytes: number;
  /** Requests of one project; null: no limits. */
  limiter: TokenBuckets | null;
}

/**
 * Requests for flags are small, and they are decoded in the HTTP thread: one hostile body must not hold it up. At
 * least 4 MB are taken everywhere (ingestion contract 1.5).
 */
const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_DECODED_BYTES = 4 * MAX_BODY_BYTES;

/**
 * What `/decide` has always said beside the configuration (ingestion contract 7.4). Clients of 2021 read it: without
 * `enable_collect_everything` their autocapture stays off.
 */
function legacyConfig(isOptedOut: boolean) {
  return {
    config: { enable_collect_everything: !isOptedOut },
    toolbarParams: {},
    isAuthenticated: false,
  };
}

/** `/decide` and `/flags`: one handler, two ways to read the version. */
export function decideRoutes(deps: DecideDeps): PublicRoute[] {
  const configTexts = new WeakMap<object, string>();
  return [
    {
      methods: ['GET', 'HEAD', 'POST'],
      paths: ['/decide'],
      preflight: 'empty',
      summary: 'Feature flags of one user and the configuration of the project, in the shapes of v=1 to v=4.',
      handle: (request) => handle(request, decideRequested(request.search)),
    },
    {
      methods: ['GET', 'HEAD', 'POST'],
      paths: ['/flags'],
      preflight: 'empty',
      summary: 'Feature flags of one user, with reasons.',
      handle: (request) => handle(request, flagsRequested(request.search)),
    },
  ];

  async function handle(request: PublicRequest, requested: RequestedAnswer): Promise<void> {
    const { evaluation, config } =
      request.method === 'POST' ? await evaluate(request) : { evaluation: NO_FLAGS, config: MINIMAL };
    const body = decideResponse(requested.shape, evaluation, {
      config: requested.withConfig ? configText(config) : null,
      requestId: requestId(request, deps.newId),
      evaluatedAt: request.receivedAt,
    });
    sendPublicJson(request.req, request.res, 200, body);
  }

  async function evaluate(
    request: PublicRequest,
  ): Promise<{ evaluation: Evaluation; config: Partial<RemoteConfig> }> {
    const bytes = await readBody(request, { maxBytes: Math.min(deps.maxBodyBytes, MAX_BODY_BYTES) });
    const { headers } = request.req;
    const { project, request: flagsRequest } = openFlagsRequest(
      {
        bytes,
        search: request.search,
        contentType: headers['content-type'] ?? '',
        contentEncoding: headers['content-encoding'] ?? '',
        maxDecodedBytes: MAX_DECODED_BYTES,
      },
      deps.findProject,
    );
    checkRate(project.id);
    const evaluation = flagsRequest.disableFlags
      ? NO_FLAGS
      : await deps.evaluateFlags(project, flagsRequest, optionsOf(request, flagsRequest));
    return { evaluation, config: deps.remoteConfig(project) };
  }

  function configText(config: Partial<RemoteConfig>): string {
    let text = configTexts.get(config);
    if (text === undefined) {
      text = JSON.stringify({ ...legacyConfig(config.autocapture_opt_out === true), ...config });
      configTexts.set(config, text);
    }
    return text;
  }

  /** Throws rate_limit_exceeded for one request too many (ingestion contract 8.7, 13). */
  function checkRate(projectId: number): void {
    const seconds = deps.limiter?.take(String(projectId)) ?? null;
    if (seconds !== null) throw fail('rate_limit_exceeded', { headers: { 'Retry-After': String(seconds) } });
  }
}

/** The response to a GET without a project: probes and link checkers need a response, never a 405 (7.7). */
const MINIMAL: Partial<RemoteConfig> = {
  supportedCompression: SUPPORTED_COMPRESSION,
  sessionRecording: false,
};

function optionsOf(request: PublicRequest, { evaluationRuntime }: FlagsRequest): EvaluationOptions {
  const { headers } = request.req;
  const surveysOnly = queryValue(request.search, 'only_evaluate_survey_feature_flags');
  return {
    now: request.receivedAt,
    ip: forwardedAddress(headers) ?? request.clientIp,
    runtime: runtimeOf(evaluationRuntime, headers),
    surveysOnly: surveysOnly === 'true' || surveysOnly === '1',
    trace: false,
    mayRemember: true,
  };
}

/** The first address of a header of that very name, the WSGI spelling of X-Forwarded-For, goes before all (7.11). */
function forwardedAddress(headers: IncomingHttpHeaders): string | null {
  const header = headers['http_x_forwarded_for'];
  if (header === undefined) return null;
  const first = (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();
  return first === undefined || first === '' ? null : first;
}

/** The client's own request id when it is a UUID, so that both sides' logs can be laid side by side (8.2). */
function requestId({ req }: PublicRequest, newId: NewId): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && isUuid(given) ? given : newId();
}
