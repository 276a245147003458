import express, { type RequestHandler } from 'express';
import { setConsoleHeaders } from './security-headers.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built console from `folder`. Files under `assets/` carry their hash in their name and are kept for good;
 * `index.html` is asked for anew each time. A page that a browser navigates to is a screen of the console: its route is
 * in the path, its file is index.html. The reference of the API is a page of its own at `/docs`.
 */
export function serveConsole(folder: string): RequestHandler {
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(res, path) {
      setConsoleHeaders(res);
      const isHashed = /[\\/]assets[\\/]/.test(path);
      res.setHeader('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (/^\/docs\/?$/.test(req.path)) req.url = '/docs.html';
    files(req, res, (error?: unknown) => {
      if (error !== undefined || !isNavigation(req.headers.accept, req.path)) return next(error);
      req.url = '/index.html';
      files(req, res, next);
    });
  };
}

/** A missing script or picture stays missing: a page in its place would only hide the mistake. */
function isNavigation(accept: string | undefined, path: string): boolean {
  return (accept ?? '').includes('text/html') && !path.startsWith('/assets/');
}
