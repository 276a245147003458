import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { h, type VNode } from 'vue';

type Child = VNode | string;

/**
 * The elements of a text with Markdown (CommonMark and GitHub's additions, by `marked`). Only elements created here come
 * out of it: HTML is shown as text, pictures as their words, and links lead to web and mail addresses alone.
 */
export function markdownNodes(text: string): Child[] {
  try {
    return blocks(inOrder(lexer(text)));
  } catch {
    // Nested deeper than the reader can go.
    return [h('p', text)];
  }
}

function blocks(tokens: readonly Token[]): Child[] {
  return (tokens as readonly MarkedToken[]).flatMap(block);
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

function block(token: MarkedToken): Child[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [h(HEADINGS[Math.min(token.depth, HEADINGS.length) - 1]!, inlines(token.tokens))];
    case 'paragraph':
      return [h('p', inlines(token.tokens))];
    case 'blockquote':
      return [h('blockquote', blocks(token.tokens))];
    case 'list':
      return [list(token as Tokens.List)];
    case 'code':
      return [h('pre', [h('code', token.text)])];
    case 'hr':
      return [h('hr')];
    case 'table':
      return [table(token as Tokens.Table)];
    case 'html':
      return [h('p', token.text.trim())];
    default:
      return inline(token);
  }
}

function list({ ordered, start, items }: Tokens.List): VNode {
  const children = items.map(({ tokens }) => h('li', blocks(tokens)));
  return ordered ? h('ol', start === '' ? {} : { start }, children) : h('ul', children);
}

function table({ header, rows }: Tokens.Table): VNode {
  const row = (name: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    h(
      'tr',
      cells.map(({ tokens }) => h(name, inlines(tokens))),
    );
  return h('table', [
    h('thead', [row('th', header)]),
    h(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ]);
}

function inlines(tokens: readonly Token[]): Child[] {
  return (tokens as readonly MarkedToken[]).flatMap(inline);
}

function inline(token: MarkedToken): Child[] {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [h(token.type, inlines(token.tokens))];
    case 'codespan':
      return [h('code', token.text)];
    case 'br':
      return [h('br')];
    case 'link':
      return link(token as Tokens.Link);
    case 'image':
      return [token.text || 'Image'];
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ '];
    case 'text':
      return token.tokens === undefined ? [decoded(token.text)] : inlines(token.tokens);
    case 'escape':
      return [token.text];
    default:
      return [token.raw];
  }
}

function link({ href, tokens }: Tokens.Link): Child[] {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return inlines(tokens);
  return [h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, inlines(tokens))];
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
