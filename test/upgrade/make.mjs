// Makes a database file of another version, for open.test.ts: `node test/upgrade/make.mjs <commit> <name>`.
// Builds the commit in a worktree in a temporary folder, with the packages of this one, and sends requests to its server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [asked, name] = process.argv.slice(2);
if (name === undefined) {
  console.error('node test/upgrade/make.mjs <commit> <name>');
  process.exit(2);
}
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'burrow-upgrade-'));
const checkout = join(folder, 'checkout');
const git = (...args) => execFileSync('git', args, { cwd: ROOT, stdio: 'inherit' });
// In full, since `HEAD` is another commit tomorrow.
const commit = execFileSync('git', ['rev-parse', `${asked}^{commit}`], {
  cwd: ROOT,
  encoding: 'utf8',
}).trim();

git('worktree', 'add', '--detach', checkout, commit);
try {
  symlinkSync(resolve(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const parts = ['server', 'geoip'].filter((part) =>
    readFileSync(join(checkout, 'scripts/parts.mjs'), 'utf8').includes(`${part}: {`),
  );
  execFileSync(process.execPath, ['scripts/build.mjs', ...parts], { cwd: checkout, stdio: 'inherit' });
  const dataDir = join(folder, 'data');
  const server = spawn(
    process.execPath,
    [join(checkout, 'dist/server/main.js'), 'serve', '--port', '0', '--json', '--data-dir', dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(server, 'exit');
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const holds = await fill(JSON.parse(line));
  server.kill('SIGTERM');
  await ended;
  const file = gzipSync(readFileSync(join(dataDir, 'burrow.duckdb')), { level: 9 });
  writeFileSync(new URL(`./${name}.duckdb.gz`, import.meta.url), file);
  writeFileSync(
    new URL(`./${name}.json`, import.meta.url),
    `${JSON.stringify({ commit, ...holds }, null, 2)}\n`,
  );
  console.log(`${name}.duckdb.gz: ${file.length} bytes`);
} finally {
  git('worktree', 'remove', '--force', checkout);
  rmSync(folder, { recursive: true, force: true });
}

/** Stores what every version can; returns what the file holds then. */
async function fill({ url, projectId, projectApiKey, personalApiKey }) {
  const base = url.replace(/\/$/, '');
  const batch = Array.from({ length: 300 }, (_, n) => ({
    event: n % 3 === 0 ? 'signed up' : '$pageview',
    distinct_id: `user-${n % 50}`,
    timestamp: new Date(Date.UTC(2026, 9, 1 + (n % 28), n % 24)).toISOString(),
    properties: { n, $current_url: `https://shop.example/${n % 7}`, $set: { plan: n % 2 ? 'free' : 'pro' } },
  }));
  await send(`${base}/batch/`, { api_key: projectApiKey, batch });
  const project = `${base}/api/projects/${projectId}`;
  const dashboards = await make(`${project}/dashboards/`, { name: 'Growth' }, ({ id, name }) => [id, name]);
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      dateRange: { date_from: '2026-09-01', date_to: '2026-11-30' },
      series: [{ kind: 'EventsNode', event: 'signed up' }],
    },
  };
  const onIt = dashboards.map(([id]) => id);
  const insight = { name: 'Sign-ups', query, dashboards: onIt };
  const insights = await make(`${project}/insights/`, insight, ({ name }) => name);
  const isPro = [{ key: 'plan', type: 'person', value: 'pro', operator: 'exact' }];
  const values = { type: 'OR', values: [{ type: 'AND', values: isPro }] };
  const cohorts = await make(
    `${project}/cohorts/`,
    { name: 'Pro', filters: { properties: values } },
    ({ name }) => name,
  );
  const flags = [];
  for (const [key, properties] of [
    ['new-checkout', []],
    ['pro-only', isPro],
  ]) {
    const filters = { groups: [{ properties, rollout_percentage: 100 }] };
    const flag = { key, name: 'New checkout', active: true, filters };
    flags.push(...(await make(`${project}/feature_flags/`, flag, (made) => made.key)));
  }
  return {
    projectApiKey,
    events: batch.length,
    persons: 50,
    pro: 25,
    dashboards: dashboards.map(([, name]) => name),
    insights,
    cohorts,
    flags,
  };

  async function send(to, body) {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${personalApiKey}` };
    return await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** An older version may not have the door yet: then there is none of it in the file. */
  async function make(to, body, nameOf) {
    const answer = await send(to, body);
    return answer.status === 201 ? [nameOf(await answer.json())] : [];
  }
}
