import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { h, type VNode } from 'vue';

type Child = VNode | string;

/** What is shown otherwise than as usual. */
export interface MarkdownParts {
  /** null: the words of the link. */
  link?(href: string, words: Child[]): VNode | null;
  code?(token: Tokens.Code): VNode;
}

/**
 * The elements of a text with Markdown (CommonMark and GitHub's additions, by `marked`). Only elements created here come
 * out of it: HTML is shown as text, pictures as their words, and links lead to web and mail addresses alone.
 */
export function markdownNodes(text: string, parts: MarkdownParts = {}): Child[] {
  try {
    return blocks(inOrder(lexer(text)), parts);
  } catch {
    // Nested deeper than the reader can go.
    return [h('p', text)];
  }
}

function blocks(tokens: readonly Token[], parts: MarkdownParts): Child[] {
  return (tokens as readonly MarkedToken[]).flatMap((token) => block(token, parts));
}

/** Headings one below the other without a gap: a text that begins with its second level begins with its first. */
function inOrder(tokens: readonly Token[]): Token[] {
  const depths = tokens.flatMap((token) =>
    token.type === 'heading' ? [(token as Tokens.Heading).depth] : [],
  );
  const ranks = [...new Set(depths)].toSorted((a, b) => a - b);
  return tokens.map((token) =>
    token.type === 'heading'
      ? { ...token, depth: ranks.indexOf((token as Tokens.Heading).depth) + 1 }
      : token,
  );
}

/** A page has a heading of its own, so those of a text begin one below. */
const HEADINGS = ['h2', 'h3', 'h4'] as const;

function block(token: MarkedToken, parts: MarkdownParts): Child[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [h(HEADINGS[Math.min(token.depth, HEADINGS.length) - 1]!, inlines(token.tokens, parts))];
    case 'paragraph':
      return [h('p', inlines(token.tokens, parts))];
    case 'blockquote':
      return [h('blockquote', blocks(token.tokens, parts))];
    case 'list':
      return [list(token as Tokens.List, parts)];
    case 'code':
      return [parts.code?.(token as Tokens.Code) ?? h('pre', [h('code', token.text)])];
    case 'hr':
      return [h('hr')];
    case 'table':
      return [table(token as Tokens.Table, parts)];
    case 'html':
      return [h('p', token.text.trim())];
    default:
      return inline(token, parts);
  }
}

function list({ ordered, start, items }: Tokens.List, parts: MarkdownParts): VNode {
  const children = items.map(({ tokens }) => h('li', blocks(tokens, parts)));
  return ordered ? h('ol', start === '' ? {} : { start }, children) : h('ul', children);
}

function table({ header, rows }: Tokens.Table, parts: MarkdownParts): VNode {
  const row = (name: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    h(
      'tr',
      cells.map(({ tokens }) => h(name, inlines(tokens, parts))),
    );
  return h('table', [
    h('thead', [row('th', header)]),
    h(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ]);
}

function inlines(tokens: readonly Token[], parts: MarkdownParts): Child[] {
  return (tokens as readonly MarkedToken[]).flatMap((token) => inline(token, parts));
}

function inline(token: MarkedToken, parts: MarkdownParts): Child[] {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [h(token.type, inlines(token.tokens, parts))];
    case 'codespan':
      return [h('code', token.text)];
    case 'br':
      return [h('br')];
    case 'link':
      return link(token as Tokens.Link, parts);
    case 'image':
      return [token.text || 'Image'];
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ '];
    case 'text':
      return token.tokens === undefined ? [decoded(token.text)] : inlines(token.tokens, parts);
    case 'escape':
      return [token.text];
    default:
      return [token.raw];
  }
}

function link({ href, tokens }: Tokens.Link, parts: MarkdownParts): Child[] {
  const own = parts.link?.(href, inlines(tokens, parts)) ?? null;
  if (own !== null) return [own];
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return inlines(tokens, parts);
  return [h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, inlines(tokens, parts))];
}

/** Characters that people write by name in Markdown. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  '#39': "'",
};

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_whole, name: string) => NAMED[name]!);
}
