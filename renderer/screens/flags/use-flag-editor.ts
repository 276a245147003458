import { computed, ref, shallowRef, watch } from 'vue';
import { api } from '../../api/client.ts';
import type { FeatureFlagJson as FeatureFlag } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { ApiFailure } from '../../api/http.ts';
import { useChange } from '../../composables/use-change.ts';
import { problemsOf } from './flag-checks.ts';
import { changeOf, countChanges, draftOf, emptyDraft, newFlagOf, type FlagDraft } from './flag-draft.ts';

interface Edited {
  projectId: number;
  /** `null` for a new flag. */
  flagId: number | null;
  /** The flag that a new one begins as. */
  copiedId: number | null;
}

/** The editor of a flag: its stored state, its draft, and saving the draft. */
export function useFlagEditor({ projectId, flagId, copiedId }: Edited) {
  const stored = shallowRef<FeatureFlag | null>(null);
  const saved = shallowRef<FlagDraft | null>(null);
  const draft = ref<FlagDraft | null>(null);
  const failure = shallowRef<unknown>(null);
  /** The flag as saved by another user, while this one was edited. */
  const theirs = shallowRef<FeatureFlag | null>(null);
  /** Whether a save was attempted: missing fields are reported from then on. */
  const isTried = ref(false);
  const { isBusy, problem, attr, run, reset } = useChange('The flag could not be saved');
  let ids = 0;

  const problems = computed(() => (draft.value ? problemsOf(draft.value) : new Map<string, string>()));
  const changes = computed(() => (saved.value && draft.value ? countChanges(saved.value, draft.value) : 0));
  const isNew = flagId === null;

  // What the server said of a key is not said of the next one.
  watch(() => draft.value?.key, reset);

  function newId(): string {
    ids += 1;
    return String(ids);
  }

  async function load(): Promise<void> {
    failure.value = null;
    try {
      if (flagId !== null) show(await api.get('P/feature_flags/:id/', { projectId, id: flagId }));
      else await begin();
    } catch (error) {
      failure.value = error;
    }
  }

  async function begin(): Promise<void> {
    const copied =
      copiedId === null
        ? null
        : draftOf(await api.get('P/feature_flags/:id/', { projectId, id: copiedId }), newId);
    saved.value = emptyDraft(newId);
    draft.value = copied
      ? { ...copied, key: `${copied.key}-copy`, active: false }
      : structuredClone(saved.value);
  }

  /** Replaces the draft by the stored flag; unsaved changes are discarded. */
  function show(flag: FeatureFlag): void {
    stored.value = flag;
    saved.value = draftOf(flag, newId);
    draft.value = structuredClone(saved.value);
    isTried.value = false;
    theirs.value = null;
  }

  /** Saves the changes; returns the stored flag, or `null` when it was refused. */
  async function save(): Promise<FeatureFlag | null> {
    isTried.value = true;
    if (!draft.value || !saved.value || problems.value.size > 0 || (!isNew && changes.value === 0))
      return null;
    let done: FeatureFlag | null = null;
    const [before, after] = [saved.value, structuredClone(toPlain(draft.value))];
    await run(async () => {
      done = isNew
        ? await api.post('P/feature_flags/', {
            projectId,
            body: { ...newFlagOf(after), _should_create_usage_dashboard: false },
          })
        : await changeOrCompare(before, after);
      if (done) show(done);
    });
    return done;
  }

  async function changeOrCompare(before: FlagDraft, after: FlagDraft): Promise<FeatureFlag | null> {
    try {
      return await api.patch('P/feature_flags/:id/', {
        projectId,
        id: flagId!,
        body: { ...changeOf(before, after), version: stored.value!.version, original_flag: stored.value! },
      });
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 409) throw error;
      theirs.value = await api.get('P/feature_flags/:id/', { projectId, id: flagId! });
      return null;
    }
  }

  /** Continues from the flag as saved by another user, with this draft. */
  function settle(merged: FlagDraft): void {
    stored.value = theirs.value;
    saved.value = draftOf(theirs.value!, newId);
    draft.value = merged;
    theirs.value = null;
  }

  function discard(): void {
    if (saved.value) draft.value = structuredClone(saved.value);
    isTried.value = false;
    reset();
  }

  /** Deletes the flag, or brings it back. */
  async function setDeleted(deleted: boolean): Promise<boolean> {
    let isDone = false;
    await run(
      async () => {
        await api.patch('P/feature_flags/:id/', { projectId, id: flagId!, body: { deleted } });
        isDone = true;
      },
      deleted ? 'The flag could not be deleted' : 'The flag could not be restored',
    );
    return isDone;
  }

  return {
    isNew,
    stored,
    saved,
    draft,
    failure,
    theirs,
    isTried,
    isBusy,
    problem,
    attr,
    problems,
    changes,
    newId,
    load,
    show,
    save,
    settle,
    discard,
    setDeleted,
  };
}

/** A copy without the proxies of Vue, which `structuredClone` refuses. */
function toPlain(draft: FlagDraft): FlagDraft {
  return JSON.parse(JSON.stringify(draft)) as FlagDraft;
}
