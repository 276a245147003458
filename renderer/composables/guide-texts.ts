/** The pages of `docs` for users, each a chunk of its own, which is loaded with its page. */
const TEXTS = import.meta.glob<string>(
  [
    '../../docs/guides/*.md',
    '../../docs/{options,command-line,testing,import,assistants,alerts,forwarding,growing,api,differences,desktop,packages,performance,reliability}.md',
  ],
  { query: '?raw', import: 'default' },
);

/** The Markdown of a file below `docs`. */
export async function readGuide(file: string): Promise<string> {
  return await TEXTS[`../../docs/${file}`]!();
}
