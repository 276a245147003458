/** Elements that only shape text. None of them holds a script, a form or a frame, or is read by rules of its own. */
const TAGS = new Set(
  (
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure ' +
    'h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup ' +
    'table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'align alt cite class colspan color datetime dir height href hreflang lang rel rowspan scope span src start style ' +
    'target title valign width'
  ).split(' '),
);
const ADDRESSES = new Set(['href', 'src', 'cite']);

const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z][a-z-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*\/?>/giy;
const ATTRIBUTE = /([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/**
 * What in a text must not reach a page as HTML, or null when all of it may. Pages show it as it is, so what is allowed is
 * less than HTML: each `<` opens a tag of the list, with attributes of the list in quotes and addresses of the web.
 */
export function forbiddenHtml(text: string): string | null {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', TAG.lastIndex)) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (tag === null) return text.slice(at, at + 40);
    if (!TAGS.has(tag[1]!.toLowerCase())) return `<${tag[1]}>`;
    for (const [, name = '', double, single] of tag[2]!.matchAll(ATTRIBUTE)) {
      const isAllowed = ATTRIBUTES.has(name.toLowerCase());
      if (!isAllowed || !isHarmless(name.toLowerCase(), double ?? single ?? '')) return name;
    }
    TAG.lastIndex = at + tag[0].length;
  }
  return null;
}

/** Character references could spell a scheme that is not there to see. */
function isHarmless(name: string, value: string): boolean {
  if (!ADDRESSES.has(name)) return true;
  return /^(https?:\/\/|mailto:|\/|#)/i.test(value);
}
