// Prints the titles of tests that an older commit has and this tree has not: a title that went has a new one or a reason.
// node test/recordings/titles.mjs --against <commit>
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const at = process.argv.indexOf('--against');
const commit = at < 0 ? undefined : process.argv[at + 1];
if (commit === undefined) {
  console.error('Usage: node test/recordings/titles.mjs --against <commit>');
  process.exit(2);
}
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const root = git('rev-parse', '--show-toplevel');
const folder = mkdtempSync(join(tmpdir(), 'titles-'));
try {
  const before = titlesAt(git('rev-parse', commit));
  const now = new Set(titlesIn(root));
  const gone = before.filter((title) => !now.has(title));
  console.log(gone.join('\n'));
  console.log(`${gone.length} of ${before.length} titles went; ${now.size} are here.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Titles of a commit, from a working tree of its own that uses this one's node_modules. */
function titlesAt(hash) {
  const tree = join(folder, 'tree');
  git('worktree', 'add', '--detach', '--quiet', tree, hash);
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
    return titlesIn(tree);
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
}

/** Titles without their file, so that a test may move; in the order of the list. */
function titlesIn(tree) {
  const file = join(folder, 'titles.json');
  writeFileSync(file, '');
  execFileSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'list', `--json=${file}`], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return [...new Set(JSON.parse(readFileSync(file, 'utf8')).map(({ name }) => name))];
}
