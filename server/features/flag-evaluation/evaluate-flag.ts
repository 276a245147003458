import type { CompiledFlag } from './compiled-flag.ts';
import { decide } from './decide-flag.ts';
import type { FlagContext } from './flag-context.ts';
import type { FlagEvaluation } from './flag-result.ts';
import { knownOf } from './known.ts';
import { traceFlag } from './trace-flag.ts';

/**
 * Evaluates one flag for one subject by the rules F and P of the ingestion contract. Synchronous, and without effects
 * but that it remembers, with the context, what other flags ask for too.
 */
export function evaluateFlag(flag: CompiledFlag, context: FlagContext): FlagEvaluation {
  if (flag.dependencies.length > 0) evaluateDependencies(flag, context);
  const evaluation = decide(flag, context);
  return context.trace ? { ...evaluation, trace: traceFlag(flag, context, evaluation) } : evaluation;
}

/** Those that they need come first; a chain may be longer than the stack. */
function evaluateDependencies(flag: CompiledFlag, context: FlagContext): void {
  const { flags } = knownOf(context);
  const open = [...flag.dependencies];
  while (open.length > 0) {
    const top = open.at(-1)!;
    const missing = flags.has(top) ? [] : top.dependencies.filter((one) => !flags.has(one));
    if (missing.length > 0) {
      for (const one of missing) open.push(one);
    } else {
      if (!flags.has(top)) flags.set(top, decide(top, context).value);
      open.pop();
    }
  }
}
