import { watch } from 'vue';
import type { FlagExplanation } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import {
  askFlags,
  explainFlags,
  type FlagContext,
  type FlagEndpoint,
} from '../../api/flag-explanations.api.ts';
import type { Exchange } from '../../api/http.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import { contextToText, countChanges, withoutChanges } from './context-text.ts';

/** All that is known of one context's flags. */
export interface Explained {
  context: FlagContext;
  explanation: FlagExplanation;
  /** The same user with stored values alone; `null` where nothing was changed by hand. */
  before: FlagExplanation | null;
  /** What the route of SDKs answered. */
  raw: Exchange;
}

/** Evaluates the flags of a context whenever it or the endpoint changes; `null` is a context without a distinct id. */
export function useExplained(context: () => FlagContext | null, endpoint: () => FlagEndpoint) {
  const project = useProjectStore().current!;

  const explained = useAnswer(async (): Promise<Explained | null> => {
    const asked = context();
    if (asked === null || asked.distinctId === '') return null;
    const [explanation, before, raw] = await Promise.all([
      explainFlags(project.id, asked),
      countChanges(asked) > 0 ? explainFlags(project.id, withoutChanges(asked)) : null,
      askFlags(endpoint(), project.api_token, asked),
    ]);
    return { context: asked, explanation, before, raw };
  });

  watch(
    () => `${endpoint().id} ${textOf(context())}`,
    () => void explained.ask(),
    { immediate: true },
  );
  return explained;
}

function textOf(context: FlagContext | null): string {
  return context === null ? '' : contextToText(context);
}
