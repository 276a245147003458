/** The languages in which the console shows code. */
export type CodeLanguage =
  'html' | 'js' | 'json' | 'python' | 'go' | 'swift' | 'kotlin' | 'shell' | 'env' | 'yaml';

/** The kinds of tokens that have a colour. */
export type TokenKind = 'plain' | 'keyword' | 'function' | 'string' | 'number' | 'comment';

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS: Record<CodeLanguage, string> = {
  html: 'script',
  js: 'import|from|const|new|await|export|return|true|false|null',
  json: 'true|false|null',
  python: 'from|import|True|False|None',
  go: 'package|import|func|defer|if|nil|return|true|false',
  swift: 'import|let',
  kotlin: 'val|to',
  shell: 'curl',
  env: '',
  yaml: '',
};

const HASH_COMMENTS: readonly CodeLanguage[] = ['python', 'shell', 'env', 'yaml'];

/** Cuts one line of code into pieces to colour; put together they are the line again. */
export function highlightLine(line: string, language: CodeLanguage): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern(language))) {
    if (match.index > end) tokens.push({ kind: 'plain', text: line.slice(end, match.index) });
    tokens.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push({ kind: 'plain', text: line.slice(end) });
  return tokens;
}

function pattern(language: CodeLanguage): RegExp {
  const parts = [
    ...(HASH_COMMENTS.includes(language) ? ['(?<comment>#.*)'] : []),
    `(?<string>'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*")`,
    ...(KEYWORDS[language] ? [`(?<keyword>(?<![\\w.$-])(?:${KEYWORDS[language]})(?![\\w(.-]))`] : []),
    '(?<fn>\\b[A-Za-z_]\\w*(?=\\())',
    '(?<number>(?<![\\w./:-])\\d+(?![\\w./:-]))',
  ];
  return new RegExp(parts.join('|'), 'g');
}

function kindOf(groups: Record<string, string | undefined>): TokenKind {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['keyword'] !== undefined) return 'keyword';
  if (groups['fn'] !== undefined) return 'function';
  return 'number';
}
