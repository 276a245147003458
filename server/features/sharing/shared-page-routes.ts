import { ApiError, fail } from '../../errors.ts';
import { send, sendError, sendPublicJson } from '../../http/send.ts';
import { clientAbortSignal } from '../../http/client-abort-signal.ts';
import type { TokenBuckets } from '../../http/token-buckets.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import type { Log } from '../../lib/log.ts';
import type { SharedFiles } from './shared-files.ts';
import { pageFlags, sharedHeaders, sharedPageHtml, type PageFlags } from './shared-page.ts';
import type { SharedReader, Shown } from './shared-reader.ts';
import { settingsOf } from './sharing.reads.ts';
import type { Sharing } from './sharing.service.ts';

export interface SharedPageParts {
  sharing: Sharing;
  reader: SharedReader;
  files: SharedFiles;
  log: Log;
  /** Rate limits of dates and filters that the viewers of one link choose, which have to be computed. */
  asks: TokenBuckets;
}

/**
 * What a visitor with a link sees (management contract 4.3): the page, the same as JSON, and the page's own files. It
 * answers under every host name, as all of the public surface does.
 */
export function sharedPageRoutes(parts: SharedPageParts): PublicRoute[] {
  const get = { methods: ['GET', 'HEAD'], preflight: 'empty' } as const;
  return [
    {
      ...get,
      paths: ['/shared/assets/:name'],
      summary: 'The scripts, styles and fonts of the shared page.',
      handle: (request) => answerFile(parts.files, request),
    },
    {
      ...get,
      paths: ['/shared/:token', '/shared_dashboard/:token'],
      summary: 'The shared page of a link; JSON when the URL ends with .json.',
      handle: (request) => answerShared(parts, request, false),
    },
    {
      ...get,
      paths: ['/embedded/:token'],
      summary: 'The shared page of a link, for embedding.',
      handle: (request) => answerShared(parts, request, true),
    },
  ];
}

const YEAR_SECONDS = 31_536_000;

async function answerFile(files: SharedFiles, { req, res, params }: PublicRequest): Promise<void> {
  const file = await files.find(params['name']!);
  if (file === null) throw fail('unknown_path');
  send(req, res, 200, file.bytes, {
    'Content-Type': file.type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
  });
}

/** What the page is given, or the JSON of a link. */
interface SharedAnswer extends PageFlags {
  type: 'scene' | 'embed';
  accessToken: string;
  themes: unknown[];
}

async function answerShared(parts: SharedPageParts, request: PublicRequest, isEmbedded: boolean) {
  const { req, res, params } = request;
  const [, token, extension] = /^(.*?)(\.json|\.png)?$/s.exec(params['token']!)!;
  try {
    const isPage = extension === undefined;
    const opened = extension === '.png' ? null : await open(parts, token!, request, isPage);
    const headers = sharedHeaders(isEmbedded, opened !== null && 'viewer' in opened);
    if (!isPage) {
      if (opened === null) return sendError(req, res, fail('not_found', { headers }));
      return sendPublicJson(
        req,
        res,
        200,
        { type: typeOf(isEmbedded), accessToken: token, ...opened },
        headers,
      );
    }
    const data: SharedAnswer | { type: 'missing' } =
      opened === null ? { type: 'missing' } : { type: typeOf(isEmbedded), accessToken: token!, ...opened };
    const title = opened === null ? 'Page not found' : titleOf(opened);
    send(req, res, opened === null ? 404 : 200, sharedPageHtml(parts.files.template, title, data), {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
    });
  } catch (error) {
    // Logged here, without the path, which holds the token.
    if (!(error instanceof ApiError))
      parts.log.error({ err: error }, 'The shared page could not be displayed.');
    sendError(req, res, error);
  }
}

async function open(
  { sharing, reader, asks }: SharedPageParts,
  token: string,
  { req, res, search }: PublicRequest,
  isPage: boolean,
) {
  const share = await sharing.open(token);
  if (share === null) return null;
  const signal = clientAbortSignal(req, res);
  const settings = settingsOf(share);
  const query = new URLSearchParams(search);
  const asked = query.get('filters') ?? '';
  const read = async (): Promise<Shown | null> => {
    const isAsking = asked !== '' && settings.viewerFilters === true;
    const wait = isAsking ? asks.take(`${share.projectId} ${share.dashboardId}`) : null;
    if (wait !== null) throw fail('throttled', { headers: { 'Retry-After': String(wait) } });
    return reader.read(share, signal, asked);
  };
  const shown = await read().catch((error: unknown) => {
    // A bookmarked address shows the dashboard, also when its filters are not available any more.
    if (isPage && asked !== '' && error instanceof ApiError) return reader.read(share, signal, '');
    throw error;
  });
  return shown === null ? null : { ...shown, themes: [], ...pageFlags(settings, query) };
}

function typeOf(isEmbedded: boolean): 'scene' | 'embed' {
  return isEmbedded ? 'embed' : 'scene';
}

function titleOf(shown: Shown): string {
  const name =
    'dashboard' in shown ? shown.dashboard.name : (shown.insight.name ?? shown.insight.derived_name);
  return name === null || name === '' ? 'Untitled' : name;
}
