import fc from 'fast-check';
import seeds from '../seeds.json' with { type: 'json' };

/**
 * Where chance begins in property tests and fuzzers. The same in every run, so that a verdict is about the code alone:
 * `FUZZ_SEED=<seed> npm test` begins elsewhere, `FUZZ_SEED=random` somewhere new each time. A failure tells its seed.
 */
export const SEED = seedOf(process.env['FUZZ_SEED']);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

function seedOf(given = String(seeds.seed)): number {
  return given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
