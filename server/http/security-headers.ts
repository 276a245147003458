import type { ServerResponse } from 'node:http';

/**
 * The console loads only its own scripts, fonts and requests and cannot be framed. Inline styles are allowed because
 * positions of floating elements are computed; inline scripts are not.
 */
const CONSOLE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ');

/** Responses of the API are data: a browser that shows one as a page runs nothing in it. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export function setApiHeaders(res: ServerResponse): void {
  setAll(res, { ...EVERYWHERE, 'Content-Security-Policy': API_POLICY, 'Cache-Control': 'no-store' });
}

export function setConsoleHeaders(res: ServerResponse): void {
  setAll(res, {
    ...EVERYWHERE,
    'Content-Security-Policy': CONSOLE_POLICY,
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
}

function setAll(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}
