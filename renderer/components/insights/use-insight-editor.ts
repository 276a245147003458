import { computed, ref, shallowRef, watch } from 'vue';
import { useRoute, type LocationQuery } from 'vue-router';
import { api, type BodyOf } from '../../api/client.ts';
import type { BasicInsightJson as Insight } from '../../../server/features/insights/insights.contract.ts';
import type { QueryNode } from '../../../server/features/query/query.contract.ts';
import { useChange } from '../../composables/use-change.ts';
import { useDebouncedQueryParam } from '../../composables/use-debounced-query-param.ts';
import { withoutUnsupported } from '../../insights/query-warnings.ts';

/** The draft of an insight. */
export interface InsightDraft<Content> {
  name: string;
  insightQuery: Content;
}

/** What an editor can edit of an insight, and how it is stored and written into the address. */
export interface InsightFormat<Content> {
  /** The content of a stored query; `null` for a kind that this editor cannot show. */
  read(query: QueryNode | null): Content | null;
  /** The query to store, in the wrapper of the stored one. */
  write(content: Content, stored: QueryNode | null): QueryNode;
  /** What a new insight begins with, by the parameters of the address. */
  empty(address: LocationQuery): Content;
  /** A name for an insight that has none. */
  nameOf(content: Content): string;
  /** The content that the parameter `q` holds; `null` for none. */
  fromText(text: unknown, saved: Content): Content | null;
  /** The parameter `q` for content that is not saved; `undefined` to leave it out. */
  toText(content: Content, saved: Content): string | undefined;
}

const MOST_UNDONE = 50;

/** An insight that is edited. The address holds the query that is not saved (`q`), so that it can be shared and survives a reload. */
export function useInsightEditor<Content>(
  projectId: number,
  shortId: string | null,
  format: InsightFormat<Content>,
  /** Milliseconds without a change after which the query is written to the URL. */
  addressPause: number,
  /** False while the leave dialog is open: writing the URL would cancel that navigation. */
  mayMove: () => boolean,
) {
  const route = useRoute();
  const writeAddress = useDebouncedQueryParam(addressPause, mayMove);
  const stored = shallowRef<Insight | null>(null);
  const saved = shallowRef<InsightDraft<Content> | null>(null);
  const draft = shallowRef<InsightDraft<Content> | null>(null);
  const failure = shallowRef<unknown>(null);
  const past = ref<string[]>([]);
  const { isBusy, problem, run } = useChange('The insight could not be saved');

  const isChanged = computed(
    () => draft.value !== null && saved.value !== null && textOf(draft.value) !== textOf(saved.value),
  );
  /** Its query is of a kind that this editor cannot show; everything but the query can be changed. */
  const isForeign = computed(
    () => stored.value !== null && format.read(readableQuery(stored.value)) === null,
  );

  async function load(): Promise<void> {
    failure.value = null;
    try {
      if (shortId !== null)
        show(await api.get('P/insights/:id/', { projectId, id: shortId, query: { basic: true } }));
      else saved.value = { name: '', insightQuery: format.empty(route.query) };
      const asked = isForeign.value ? null : format.fromText(route.query['q'], saved.value!.insightQuery);
      draft.value = { ...saved.value!, ...(asked ? { insightQuery: asked } : {}) };
    } catch (error) {
      failure.value = error;
    }
  }

  /** Sets the stored insight and its saved draft. */
  function show(insight: Insight): void {
    stored.value = insight;
    const insightQuery = format.read(readableQuery(insight)) ?? format.empty({});
    saved.value = { name: insight.name ?? '', insightQuery };
  }

  /** Changes the draft; the draft before can be brought back. */
  function change(next: Partial<InsightDraft<Content>>): void {
    if (!draft.value) return;
    const before = textOf(draft.value);
    draft.value = { ...draft.value, ...next };
    if (textOf(draft.value) !== before) past.value = [...past.value, before].slice(-MOST_UNDONE);
  }

  function undo(): void {
    const before = past.value.at(-1);
    if (before === undefined) return;
    past.value = past.value.slice(0, -1);
    draft.value = JSON.parse(before) as InsightDraft<Content>;
  }

  function discard(): void {
    if (saved.value) change(saved.value);
  }

  /** Stores the draft; returns the stored insight, or `null` when it was refused. */
  async function save(): Promise<Insight | null> {
    if (!draft.value) return null;
    const { name, insightQuery } = draft.value;
    if (isForeign.value)
      return write(() =>
        api.patch('P/insights/:id/', { projectId, id: stored.value!.id, body: { name: name.trim() } }),
      );
    const body = { name: name.trim() || format.nameOf(insightQuery), query: queryOf(insightQuery) };
    return write(() =>
      stored.value
        ? api.patch('P/insights/:id/', { projectId, id: stored.value.id, body })
        : api.post('P/insights/', { projectId, body: { saved: true, ...body } }),
    );
  }

  /** Stores the draft as another insight. */
  async function saveAs(name: string): Promise<Insight | null> {
    if (!draft.value) return null;
    let made: Insight | null = null;
    const { insightQuery } = draft.value;
    await run(async () => {
      const tags = stored.value?.tags ?? [];
      made = await api.post('P/insights/', {
        projectId,
        body: { saved: true, name, tags, query: queryOf(insightQuery) },
      });
    });
    return made;
  }

  /** The draft's query; one that cannot be edited is unchanged. */
  function queryOf(insightQuery: Content): QueryNode {
    return isForeign.value
      ? stored.value!.query!
      : format.write(insightQuery, stored.value && readableQuery(stored.value));
  }

  /** Changes fields other than the query, immediately. */
  function changeStored(change: BodyOf<'PATCH P/insights/:id/'>): Promise<Insight | null> {
    const id = stored.value?.id;
    return id === undefined
      ? Promise.resolve(null)
      : write(() => api.patch('P/insights/:id/', { projectId, id, body: change }), true);
  }

  async function write(task: () => Promise<Insight>, isBeside = false): Promise<Insight | null> {
    let done: Insight | null = null;
    await run(async () => {
      done = await task();
      const { insightQuery } = draft.value!;
      stored.value = done;
      if (isBeside) return;
      saved.value = { name: done.name ?? '', insightQuery };
      draft.value = saved.value;
    });
    return done;
  }

  // Another kind is chosen while a new one is open still.
  watch(
    () => route.query['kind'],
    (kind) => kind !== undefined && shortId === null && void load(),
  );

  /** What this editor has written into the address last. */
  let written: string | undefined;
  watch(draft, () => {
    writeAddress(() => {
      if (!draft.value || !saved.value) return null;
      const q = isForeign.value
        ? undefined
        : format.toText(draft.value.insightQuery, saved.value.insightQuery);
      if (q === route.query['q']) return null;
      written = q;
      return { q };
    });
  });

  /**
   * Takes over the query of a link within the page, where `mayTake` allows it. What the editor has written itself is
   * never newer than the draft, which may have been edited meanwhile.
   */
  function followAddress(mayTake: (text: unknown) => boolean): void {
    watch(
      () => route.query['q'],
      (q) => {
        if (!draft.value || !saved.value || q === written || !mayTake(q)) return;
        const { insightQuery: base } = saved.value;
        if (q === format.toText(draft.value.insightQuery, base)) return;
        change({ insightQuery: format.fromText(q, base) ?? base });
      },
    );
  }

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
    followAddress,
  };
}

const textOf = (draft: unknown): string => JSON.stringify(draft);

/** The stored query without the fields that change nothing here, which a new query may not have. */
const readableQuery = ({ query, warnings }: Insight): QueryNode | null =>
  withoutUnsupported(query, warnings) ?? null;
