import type { ShareSettings } from './sharing.contract.ts';

/** Where the build leaves room for what the page shows. */
const DATA_ELEMENT = /<script type="application\/json" id="shared">[^<]*<\/script>/;
const TITLE_ELEMENT = /<title>[^<]*<\/title>/;

/**
 * The page with its data inside, so that it requests only its own files. Null as template: it was not built, and a
 * bare page says as much as it can.
 */
export function sharedPageHtml(template: string | null, title: string, data: unknown): string {
  const titleElement = `<title>${escapeText(title)}</title>`;
  const json = `<script type="application/json" id="shared">${scriptJson(data)}</script>`;
  if (template === null)
    return `<!doctype html><html lang="en"><head><meta charset="utf-8">${titleElement}</head><body>${json}</body></html>`;
  return template.replace(TITLE_ELEMENT, () => titleElement).replace(DATA_ELEMENT, () => json);
}

/** JSON that can end no element and begin no comment, whatever its texts say; JSON.parse reads the same from it. */
export function scriptJson(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const FLAGS = ['whitelabel', 'noHeader', 'showInspector', 'legend', 'detailed', 'hideExtraDetails'] as const;

/** How a page looks; what its viewers may do is not theirs to say. */
export type PageFlags = Omit<ShareSettings, 'viewerFilters'>;

/** How the page looks, by what its owner has set and by the address: only what is on (management contract 4.3). */
export function pageFlags(settings: ShareSettings, search: URLSearchParams): PageFlags {
  const isOn = (name: (typeof FLAGS)[number]): boolean => {
    const asked = search.get(name);
    return asked === null ? settings[name] === true : asked !== 'false' && asked !== '0';
  };
  const theme = search.get('theme') ?? settings.theme;
  return {
    ...Object.fromEntries(FLAGS.filter(isOn).map((name) => [name, true])),
    ...(theme ? { theme } : {}),
  };
}

/** What a page may load and who may frame it. Everything it needs lies on this server and in the page itself. */
function policy(isEmbedded: boolean, mayAsk: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ...(mayAsk ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isEmbedded ? '*' : "'none'"}`,
  ].join('; ');
}

/**
 * Headers of everything behind a token: no search engine finds it, and no cache stores it. A page whose viewers
 * may change filters requests itself again (`mayAsk`).
 */
export function sharedHeaders(isEmbedded: boolean, mayAsk = false): Record<string, string> {
  return {
    'Content-Security-Policy': policy(isEmbedded, mayAsk),
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(isEmbedded ? {} : { 'X-Frame-Options': 'DENY', 'Cross-Origin-Opener-Policy': 'same-origin' }),
  };
}
