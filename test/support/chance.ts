import fc from 'fast-check';
import seeds from '../seeds.json' with { type: 'json' };

/**
 * The seed of property tests and fuzzers. It is the same in every run, so that a result depends only on the code:
 * `FUZZ_SEED=<seed> npm test` uses another one, `FUZZ_SEED=random` a new one each time. A failure prints its seed.
 */
export const SEED = seedOf(process.env['FUZZ_SEED']);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

function seedOf(given = String(seeds.seed)): number {
  return given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
