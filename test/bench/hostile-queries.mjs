// Captures beside loops of queries that need all memory or all time: measures the duration of captures, the peak memory of the
// process, and how often the watch ended and restarted it. Needs a build and Linux.
//   node test/bench/hostile-queries.mjs [seconds] [--with-bombs]
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SECONDS = Number(process.argv[2] ?? 60);
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

function doubled(levels) {
  const queries = Array.from(
    { length: levels },
    (_, at) => `w${at + 1} as (select x from w${at} union all select x from w${at})`,
  );
  return `with w0 as (select number as x from numbers(1)), ${queries.join(', ')} select count() from w${levels}`;
}

const REFUSED_OR_ENDED = {
  'CTEs doubled 20 times': doubled(20),
  'CTEs doubled 12 times': doubled(12),
  'ranges crossed':
    'select count() from numbers(10000000) a cross join numbers(10000000) b where a.number = b.number * 3',
  'long lists crossed':
    'select sum(arraySum(r) + number) from (select range(1000000) as r) a cross join numbers(100000) b',
  'LIKE that backtracks': `select count() from numbers(5000) where repeat(toString(number), 2000) like '${'%1_'.repeat(20)}x'`,
  'match that backtracks': `select count() from numbers(5000) where match(repeat(toString(number), 2000), '(?s)1.*2.*3.*4.*z')`,
  'texts compared': `select max(levenshteinDistance(repeat(toString(number), 4000), repeat('a', 4000))) from numbers(100)`,
  'groups without end':
    'select repeat(toString(number), 1000) as x, count() from numbers(10000000) group by x',
};
/** Only the watch ends these. */
const BOMBS = {
  'lists in lists':
    'select sum(length(arrayMap(x -> range(x, x + 9999), range(number, number + 9999)))) from numbers(100000)',
};
const queries = process.argv.includes('--with-bombs') ? { ...REFUSED_OR_ENDED, ...BOMBS } : REFUSED_OR_ENDED;

const dataDir = await mkdtemp(join(tmpdir(), 'burrow-hostile-'));
let child = null;
let server = null;
let endings = 0;
let isOver = false;

async function start() {
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--json', '--memory-limit', '512MB'];
  const started = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  child = started;
  started.once('exit', () => {
    if (isOver) return;
    endings++;
    server = null;
    start().catch(console.error);
  });
  let text = '';
  for await (const piece of started.stdout) {
    text += piece;
    if (!text.includes('\n')) continue;
    server = JSON.parse(text.split('\n', 1)[0]);
    break;
  }
  started.stdout.resume();
}
let peak = 0;
async function watchMemory() {
  while (!isOver) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const answers = new Map();
async function loop(name, query) {
  while (!isOver) {
    const key = await fetch(`${server?.url}/api/projects/${server?.projectId}/query/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server?.personalApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: { kind: 'HogQLQuery', query } }),
      signal: AbortSignal.timeout(5_000),
    })
      .then(async (answer) => ((await answer.json()).code ?? answer.status).toString())
      .catch((error) => error.name);
    const counts = answers.get(name) ?? {};
    counts[key] = (counts[key] ?? 0) + 1;
    answers.set(name, counts);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let times = [];
let unanswered = 0;
async function captures() {
  for (let at = 0; !isOver; at++) {
    const started = performance.now();
    const status = await fetch(`${server?.url}/capture/`, {
      method: 'POST',
      body: JSON.stringify({ api_key: server?.projectApiKey, event: 'bench', distinct_id: `u${at % 100}` }),
    })
      .then((answer) => answer.status)
      .catch(() => 0);
    if (status === 200) times.push(performance.now() - started);
    else unanswered++;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function report(title) {
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor(times.length * share)] ?? Number.NaN);
  console.log(
    `${title}: ${times.length} answered, ${unanswered} not; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms`,
  );
  [times, unanswered] = [[], 0];
}

await start();
const work = [watchMemory(), captures(), captures()];
// As long without the queries: what captures take on this machine anyway.
await new Promise((resolve) => setTimeout(resolve, (SECONDS / 4) * 1000));
report('captures alone');
work.push(...Object.entries(queries).map(([name, query]) => loop(name, query)));
await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
isOver = true;
await Promise.all(work);
const ended = new Promise((resolve) => child.once('exit', resolve));
child.kill('SIGTERM');
await ended;
await rm(dataDir, { recursive: true, force: true });
report('captures beside the queries');
console.log(`resident memory at most ${Math.round(peak)} MB; ended and begun anew ${endings} times`);
for (const [name, counts] of answers) console.log(`  ${name.padEnd(24)} ${JSON.stringify(counts)}`);
