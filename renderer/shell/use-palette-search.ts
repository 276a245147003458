import { useTimeoutFn } from '@vueuse/core';
import { Search } from '@lucide/vue';
import { computed, ref, shallowRef, watch, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import { api } from '../api/client.ts';
import {
  RESOURCES,
  titleOfMany,
  type ConsoleResource,
  type FoundObject,
  type FoundObjects,
} from '../composables/resources.ts';
import { useProjectStore } from '../stores/project.store.ts';
import type { Command } from './command.ts';
import type { Found } from './find-commands.ts';
import { matchText } from './match-text.ts';
import { ROWS_ALONE, type ObjectGroup } from './palette-groups.ts';
import { isSearched, type PaletteQuery } from './palette-query.ts';

/** Milliseconds without a key press before the server is searched. */
const TYPING_PAUSE = 150;

const NOUN_OF_SCOPE = { persons: 'person', events: 'event_definition' } as const;

/** The objects that the server finds for a query of the palette, in groups of one resource. */
export function usePaletteSearch(query: Readonly<Ref<PaletteQuery>>) {
  const router = useRouter();
  const projects = useProjectStore();
  const answers = shallowRef<ReadonlyMap<string, ObjectGroup>>(new Map());
  const pending = ref(0);
  const hasFailed = ref(false);
  /** Which search is the latest: what an earlier one answers is not shown. */
  let latest = 0;
  let running: AbortController | null = null;

  const {
    start: askLater,
    stop,
    isPending,
  } = useTimeoutFn(() => void ask(), TYPING_PAUSE, { immediate: false });
  const groups = computed(() =>
    RESOURCES.flatMap(({ noun }) => {
      const group = answers.value.get(noun);
      return group && group.found.length > 0 ? [group] : [];
    }),
  );
  const isSearching = computed(() => isPending.value || pending.value > 0);

  watch(query, (next) => {
    stop();
    cancel();
    hasFailed.value = false;
    if (!isSearched(next)) {
      answers.value = new Map();
      return;
    }
    keepWhatMatches(next);
    askLater();
  });

  function cancel(): void {
    latest += 1;
    running?.abort();
    running = null;
    pending.value = 0;
  }

  /** Until the server answers, what was found for fewer letters and still matches; nothing else could be taken by Enter. */
  function keepWhatMatches({ text, scope }: PaletteQuery): void {
    const wanted = scope === null ? null : NOUN_OF_SCOPE[scope as keyof typeof NOUN_OF_SCOPE];
    const kept = [...answers.value.values()].flatMap((group): ObjectGroup[] => {
      if (wanted !== null && wanted !== group.noun) return [];
      const found = group.found.flatMap(({ command }) => {
        const one = foundOf(command, text);
        return one.match.score > 0 ? [one] : [];
      });
      return found.length === 0 ? [] : [{ ...group, found, count: found.length }];
    });
    answers.value = new Map(kept.map((group) => [group.noun, group]));
  }

  async function ask(): Promise<void> {
    cancel();
    hasFailed.value = false;
    const mine = latest;
    const { text, scope } = query.value;
    const projectId = projects.current!.id;
    const wanted = RESOURCES.filter(
      ({ noun, found, find }) =>
        (found ?? find) && (scope === null || noun === NOUN_OF_SCOPE[scope as keyof typeof NOUN_OF_SCOPE]),
    );
    const searched = wanted.filter(({ found }) => found);
    const { signal } = (running = new AbortController());
    const show = (shown: [ConsoleResource, FoundObjects][]) => {
      if (mine !== latest) return;
      const next = new Map(answers.value);
      for (const [resource, found] of shown)
        next.set(resource.noun, groupOf(resource, found, text, projectId));
      answers.value = next;
      for (const [resource, { objects }] of shown) {
        void factsOf(resource, projectId, objects).then((facts) => {
          if (mine === latest) addFacts(resource, facts);
        });
      }
    };
    const asked = [
      ...(searched.length > 0 ? [searchProject(searched, text, projectId, signal).then(show)] : []),
      ...wanted
        .filter(({ find }) => find)
        .map((resource) =>
          resource.find!(projectId, text, ROWS_ALONE).then((found) => show([[resource, found]])),
        ),
    ];
    pending.value = asked.length;
    await Promise.all(
      asked.map((one) =>
        one
          .catch(() => {
            // The palette shows that the search failed, and offers to retry.
            if (mine === latest) hasFailed.value = true;
          })
          .finally(() => {
            if (mine === latest) pending.value -= 1;
          }),
      ),
    );
  }

  function addFacts({ noun }: ConsoleResource, facts: ReadonlyMap<string, string>): void {
    const group = answers.value.get(noun);
    if (!group || facts.size === 0) return;
    const found = group.found.map((one) => ({
      ...one,
      command: { ...one.command, fact: facts.get(one.command.id.slice(noun.length + 1)) },
    }));
    answers.value = new Map(answers.value).set(noun, { ...group, found });
  }

  function groupOf(
    resource: ConsoleResource,
    { objects, count }: FoundObjects,
    text: string,
    projectId: number,
  ): ObjectGroup {
    const { noun, list } = resource;
    const params = { projectId, ...objects[0]?.inList };
    return {
      noun,
      name: titleOfMany(resource),
      found: objects.map((object) => foundOf(commandOf(resource, object), text)),
      count,
      all: { name: list!, params, query: text === '' ? {} : { search: text } },
    };
  }

  function commandOf({ noun, icon = Search, ...resource }: ConsoleResource, object: FoundObject): Command {
    const { id, label, hint, to, isCode } = object;
    return {
      id: `${noun} ${id}`,
      group: titleOfMany(resource),
      label,
      hint,
      icon: object.icon ?? icon,
      isCode,
      to,
      run: () => void router.push(to),
    };
  }

  return { groups, isSearching, hasFailed, retry: () => void ask() };
}

/** Numbers of found objects, by their IDs. The palette is complete without them: what fails has none. */
async function factsOf(
  { fact, facts }: ConsoleResource,
  projectId: number,
  objects: readonly FoundObject[],
): Promise<ReadonlyMap<string, string>> {
  if (objects.length === 0) return new Map();
  if (facts) return facts(projectId, objects).catch(() => new Map<string, string>());
  if (!fact) return new Map();
  const pairs = objects.map(
    async (object) => [object.id, await fact(projectId, object).catch(() => '')] as const,
  );
  return new Map(await Promise.all(pairs));
}

/** One request for all resources of the project's search. */
async function searchProject(
  resources: readonly ConsoleResource[],
  text: string,
  projectId: number,
  signal: AbortSignal,
): Promise<[ConsoleResource, FoundObjects][]> {
  const entities = resources.map(({ noun }) => noun).join(',');
  const query = { q: text || undefined, entities, limit_per_kind: ROWS_ALONE };
  const { results, counts } = await api.get('P/search/', { projectId, query, signal });
  return resources.map((resource) => {
    const ofIt = results.filter(({ type }) => type === resource.noun);
    const objects = ofIt.map((result) => resource.found!(projectId, result));
    return [resource, { objects, count: counts?.[resource.noun] ?? objects.length }];
  });
}

function foundOf(command: Command, text: string): Found<Command> {
  const none = { score: 0, ranges: [] };
  const match = matchText(text, command.label);
  // Scattered letters are no reason why the server found it.
  const isPiece = match !== null && match.ranges.length === 1;
  if (isPiece) return { command, match };
  const inHint = command.hint?.toLowerCase().includes(text.toLowerCase()) === true;
  return { command, match: inHint ? { score: 1, ranges: [] } : none };
}
