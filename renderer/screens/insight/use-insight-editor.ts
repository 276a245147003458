import { computed, ref, shallowRef, watch } from 'vue';
import { useRoute } from 'vue-router';
import {
  changeInsight,
  createInsight,
  getInsight,
  type Insight,
  type InsightChange,
} from '../../api/insights.api.ts';
import { useChange } from '../../composables/use-change.ts';
import { useLateAddress } from '../../composables/use-late-address.ts';
import { withoutUnsupported } from '../../ui/answers/query-warnings.ts';
import { nameOfQuestion, questionOf, type Question } from '../../ui/answers/question.ts';
import { emptyQuestion, newQuestion, questionOfText } from './question.ts';

/** An insight as it is edited. */
export interface InsightDraft {
  name: string;
  question: Question;
}

/** Milliseconds without a change after which the question stands in the address. */
const ADDRESS_PAUSE = 200;
const MOST_UNDONE = 50;

/** An insight that is edited. The address holds the question that is not saved (`q`), so that it can be shared and survives a reload. */
export function useInsightEditor(
  projectId: number,
  shortId: string | null,
  /** False while somebody is asked whether to leave: a new address would end that journey. */
  mayMove: () => boolean,
) {
  const route = useRoute();
  const writeAddress = useLateAddress(ADDRESS_PAUSE, mayMove);
  const stored = shallowRef<Insight | null>(null);
  const saved = shallowRef<InsightDraft | null>(null);
  const draft = shallowRef<InsightDraft | null>(null);
  const failure = shallowRef<unknown>(null);
  const past = ref<string[]>([]);
  const { isBusy, problem, run } = useChange('this insight');

  const isChanged = computed(
    () => draft.value !== null && saved.value !== null && textOf(draft.value) !== textOf(saved.value),
  );
  /** It asks in a way that this editor cannot show, such as SQL. */
  const isForeign = computed(() => stored.value !== null && questionOf(stored.value.query) === null);

  async function load(): Promise<void> {
    failure.value = null;
    try {
      if (shortId !== null) show(await getInsight(projectId, shortId));
      else saved.value = { name: '', question: newQuestion(route.query['kind']) };
      const asked = questionOfText(route.query['q']);
      draft.value = { ...saved.value!, ...(asked ? { question: asked } : {}) };
    } catch (error) {
      failure.value = error;
    }
  }

  /** Takes an insight over as it is stored now. */
  function show(insight: Insight): void {
    stored.value = insight;
    const question = questionOf(withoutUnsupported(insight.query, insight.warnings));
    saved.value = { name: insight.name ?? '', question: question ?? emptyQuestion() };
  }

  /** Changes the draft; the draft before can be brought back. */
  function change(next: Partial<InsightDraft>): void {
    if (!draft.value) return;
    const before = textOf(draft.value);
    draft.value = { ...draft.value, ...next };
    if (textOf(draft.value) !== before) past.value = [...past.value, before].slice(-MOST_UNDONE);
  }

  function undo(): void {
    const before = past.value.at(-1);
    if (before === undefined) return;
    past.value = past.value.slice(0, -1);
    draft.value = JSON.parse(before) as InsightDraft;
  }

  function discard(): void {
    if (saved.value) change(saved.value);
  }

  /** Stores the draft; the insight as it is then, or `null` when it is not. */
  async function save(): Promise<Insight | null> {
    if (!draft.value || isForeign.value) return null;
    const { name, question } = draft.value;
    const body = { name: name.trim() || nameOfQuestion(question), query: wrapped(stored.value, question) };
    return write(() =>
      stored.value ? changeInsight(projectId, stored.value.id, body) : createInsight(projectId, body),
    );
  }

  /** Stores the draft as another insight. */
  async function saveAs(name: string): Promise<Insight | null> {
    if (!draft.value) return null;
    let made: Insight | null = null;
    const { question } = draft.value;
    await run(async () => {
      const tags = stored.value?.tags ?? [];
      made = await createInsight(projectId, { name, tags, query: wrapped(stored.value, question) });
    });
    return made;
  }

  /** Changes what is beside the question, at once. */
  function changeStored(change: InsightChange): Promise<Insight | null> {
    const id = stored.value?.id;
    return id === undefined ? Promise.resolve(null) : write(() => changeInsight(projectId, id, change), true);
  }

  async function write(task: () => Promise<Insight>, isBeside = false): Promise<Insight | null> {
    let done: Insight | null = null;
    await run(async () => {
      done = await task();
      const { question } = draft.value!;
      stored.value = done;
      if (isBeside) return;
      saved.value = { name: done.name ?? '', question };
      draft.value = saved.value;
    });
    return done;
  }

  // Another kind is chosen while a new one is open still.
  watch(
    () => route.query['kind'],
    (kind) => kind !== undefined && shortId === null && void load(),
  );

  watch(draft, () => {
    writeAddress(() => {
      if (!draft.value || !saved.value) return null;
      const text = JSON.stringify(draft.value.question);
      const q = text === JSON.stringify(saved.value.question) ? undefined : text;
      return q === route.query['q'] ? null : { q };
    });
  });

  return {
    stored,
    draft,
    failure,
    past,
    isBusy,
    problem,
    isChanged,
    isForeign,
    load,
    change,
    undo,
    discard,
    save,
    saveAs,
    changeStored,
  };
}

const textOf = (draft: InsightDraft): string => JSON.stringify(draft);

/** The question in the wrapper that it was stored in, with how it is shown. */
function wrapped(stored: Insight | null, question: Question) {
  const before = withoutUnsupported(stored?.query, stored?.warnings);
  const wrapper = before && 'source' in before ? before : { kind: 'InsightVizNode' };
  return { ...wrapper, source: question };
}
