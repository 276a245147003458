// @ts-check
import { parseArgs } from 'node:util';
import { CASES } from './cases.mjs';

export const MEASURES = /** @type {const} */ ([
  'queryable',
  'memory',
  'busy',
  'hostile',
  'persons',
  'page-views',
  'definitions',
  'stored-events',
  'imports',
  'dashboards',
  'flags',
  'decide',
  'queries',
  'growth',
  'console',
  'warehouse',
  'start-up',
  'idle',
  'desktop',
]);

export const HELP = `npm run bench -- [options]

Measures the built server beside its limits and peers, on this machine. Takes about 40 minutes as it is.

  --runs <n>       repetitions of everything; the median counts (5)
  --seconds <n>    measured time of each load (3)
  --warmup <n>     seconds of load before that (1)
  --idle <n>       seconds over which the idle server and desktop app are watched (60)
  --only <names>   some of, separated by commas:
                   ${CASES.map(({ name }) => name).join(', ')},
                   ${MEASURES.join(', ')}
  --full           stored-events: 50 million instead of 10; queries, console and warehouse: 10 million instead of 1;
                   growth: 50 million beside 1, 5 and 10
  --events <n>     queries, console and warehouse: so many events
  --json <file>    write all figures there
  --against <commit>
                   the ratios of every figure of --only to those of another commit, which is built in a folder of its own;
                   both take turns, --pairs times
  --pairs <n>      with --against (7)
  --bars           compare with the bars, met or not
  --write          put the tables into docs/performance.md
`;

/**
 * @typedef {object} Options
 * @property {number} runs
 * @property {number} seconds
 * @property {number} warmupSeconds
 * @property {number} idleSeconds
 * @property {ReadonlySet<string>} only Names of cases and measures.
 * @property {string | undefined} json
 * @property {boolean} full
 * @property {number | undefined} events
 * @property {string | undefined} against A commit.
 * @property {number} pairs
 * @property {boolean} bars
 * @property {boolean} write
 * @property {boolean} help
 */

/**
 * Throws with a sentence that names the wrong option.
 * @param {string[]} argv
 * @returns {Options}
 */
export function parseOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      warmup: { type: 'string', default: '1' },
      idle: { type: 'string', default: '60' },
      only: { type: 'string' },
      json: { type: 'string' },
      events: { type: 'string' },
      full: { type: 'boolean', default: false },
      against: { type: 'string' },
      pairs: { type: 'string', default: '7' },
      bars: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    runs: positive('--runs', values.runs),
    seconds: positive('--seconds', values.seconds),
    warmupSeconds: positive('--warmup', values.warmup),
    idleSeconds: positive('--idle', values.idle),
    only: chosen(values.only),
    json: values.json,
    full: values.full,
    events: values.events === undefined ? undefined : positive('--events', values.events),
    against: values.against,
    pairs: positive('--pairs', values.pairs),
    bars: values.bars,
    write: values.write,
    help: values.help,
  };
}

/** @param {string} option @param {string} text */
function positive(option, text) {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0, not "${text}".`);
  return value;
}

/** @param {string | undefined} text */
function chosen(text) {
  const known = new Set([...CASES.map(({ name }) => name), ...MEASURES]);
  if (text === undefined) return known;
  const names = new Set(text.split(','));
  for (const name of names) {
    if (!known.has(name))
      throw new Error(`--only does not know "${name}". It knows: ${[...known].join(', ')}.`);
  }
  return names;
}
