import { fail } from '../../errors.ts';
import { answer, answerError, answerJson } from '../../http/answer.ts';
import { goneSignal } from '../../http/gone-signal.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import type { Log } from '../../lib/log.ts';
import type { SharedFiles } from './shared-files.ts';
import { pageFlags, sharedHeaders, sharedPageHtml } from './shared-page.ts';
import type { SharedReader, Shown } from './shared-reader.ts';
import type { ShareSettings } from './sharing.contract.ts';
import type { Sharing } from './sharing.service.ts';

export interface SharedPageParts {
  sharing: Sharing;
  reader: SharedReader;
  files: SharedFiles;
  log: Log;
}

/**
 * What anybody sees who has a link (management contract 4.3): the page, the same as JSON, and the page's own files. It
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
      summary: 'What a link shows: a page, as JSON when its address ends with .json.',
      handle: (request) => answerShared(parts, request, false),
    },
    {
      ...get,
      paths: ['/embedded/:token'],
      summary: 'What a link shows, for a frame on another page.',
      handle: (request) => answerShared(parts, request, true),
    },
  ];
}

const YEAR_SECONDS = 31_536_000;

async function answerFile(files: SharedFiles, { req, res, params }: PublicRequest): Promise<void> {
  const file = await files.find(params['name']!);
  if (file === null) throw fail('unknown_path');
  answer(req, res, 200, file.bytes, {
    'Content-Type': file.type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
  });
}

/** What the page is given, or the JSON of a link. */
interface SharedAnswer extends ShareSettings {
  type: 'scene' | 'embed';
  accessToken: string;
  themes: unknown[];
}

async function answerShared(parts: SharedPageParts, request: PublicRequest, isEmbedded: boolean) {
  const { req, res, search, params } = request;
  const [, token, extension] = /^(.*?)(\.json|\.png)?$/s.exec(params['token']!)!;
  try {
    const opened =
      extension === '.png'
        ? null
        : await open(parts, token!, new URLSearchParams(search), goneSignal(req, res));
    const headers = sharedHeaders(isEmbedded);
    if (extension !== undefined) {
      if (opened === null) return answerError(req, res, fail('not_found', { headers }));
      return answerJson(req, res, 200, { type: typeOf(isEmbedded), accessToken: token, ...opened }, headers);
    }
    const data: SharedAnswer | { type: 'missing' } =
      opened === null ? { type: 'missing' } : { type: typeOf(isEmbedded), accessToken: token!, ...opened };
    const title = opened === null ? 'There is nothing here' : titleOf(opened);
    answer(req, res, opened === null ? 404 : 200, sharedPageHtml(parts.files.template, title, data), {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
    });
  } catch (error) {
    // Told here, without the path, which holds the token.
    parts.log.error({ err: error }, 'A shared page could not be shown.');
    answerError(req, res, error);
  }
}

async function open(
  { sharing, reader }: SharedPageParts,
  token: string,
  search: URLSearchParams,
  signal: AbortSignal,
) {
  const share = await sharing.open(token);
  const shown = share === null ? null : await reader.read(share, signal);
  if (share === null || shown === null) return null;
  const settings = share.settings === null ? {} : (JSON.parse(share.settings) as ShareSettings);
  return { ...shown, themes: [], ...pageFlags(settings, search) };
}

function typeOf(isEmbedded: boolean): 'scene' | 'embed' {
  return isEmbedded ? 'embed' : 'scene';
}

function titleOf(shown: Shown): string {
  const name =
    'dashboard' in shown ? shown.dashboard.name : (shown.insight.name ?? shown.insight.derived_name);
  return name === null || name === '' ? 'Untitled' : name;
}
