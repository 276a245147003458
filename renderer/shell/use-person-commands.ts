import { UserRound } from '@lucide/vue';
import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import { listPersons, type Person } from '../api/persons.api.ts';
import { useProjectStore } from '../stores/project.store.ts';
import { subtitleOf, titleOf } from '../ui/person-words.ts';
import type { CommandGroup } from './find-commands.ts';
import { matchText } from './match-text.ts';
import type { Command } from './use-commands.ts';

/** Shorter words fit too many persons to be worth asking. */
const SHORTEST_QUERY = 2;
const MOST_PERSONS = 6;
/** Milliseconds without a key after which persons are asked for. */
const TYPING_PAUSE = 150;

/** The persons whom a query of the palette finds by name, e-mail address or distinct id; a group of at most one. */
export function usePersonCommands(query: Readonly<Ref<string>>) {
  const router = useRouter();
  const projects = useProjectStore();
  const groups = shallowRef<CommandGroup<Command>[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;

  watch(query, (typed) => {
    clearTimeout(timer);
    const wanted = typed.trim();
    if (wanted.length < SHORTEST_QUERY) groups.value = [];
    else timer = setTimeout(() => void find(wanted), TYPING_PAUSE);
  });
  onScopeDispose(() => clearTimeout(timer));

  async function find(wanted: string): Promise<void> {
    const projectId = projects.current!.id;
    // The palette does without persons while the server does not answer; its own screens say why.
    const page = await listPersons(projectId, {
      limit: MOST_PERSONS,
      search: wanted,
      isUncounted: true,
    }).catch(() => null);
    if (query.value.trim() !== wanted) return;
    const found = (page?.persons ?? []).map((person) => ({
      command: commandOf(projectId, person),
      match: matchText(wanted, titleOf(person)) ?? { score: 0, ranges: [] },
    }));
    groups.value = found.length > 0 ? [{ name: 'Persons', found }] : [];
  }

  function commandOf(projectId: number, person: Person): Command {
    return {
      id: `person-${person.uuid}`,
      group: 'Persons',
      label: titleOf(person),
      hint: subtitleOf(person),
      icon: UserRound,
      run: () => void router.push({ name: 'person', params: { projectId, personId: person.uuid } }),
    };
  }

  return groups;
}
