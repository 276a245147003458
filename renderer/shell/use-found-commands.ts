import { useTimeoutFn } from '@vueuse/core';
import { Search } from '@lucide/vue';
import { shallowRef, watch, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import { titleOfMany, type ConsoleResource, type FoundObject } from '../composables/resources.ts';
import { useProjectStore } from '../stores/project.store.ts';
import type { CommandGroup } from './find-commands.ts';
import { matchText } from './match-text.ts';
import type { Command } from './command.ts';

/** How many objects of one kind the palette shows. */
const MAX_FOUND = 6;
/** Minimum length: shorter words match too many things. */
const SHORTEST_QUERY = 2;
/** Milliseconds without a key press before the server is searched. */
const TYPING_PAUSE = 150;

/** The objects of one resource that the server finds for a query of the palette; a group of at most one. */
export function useFoundCommands(query: Readonly<Ref<string>>, resource: ConsoleResource) {
  const { icon = Search } = resource;
  const name = titleOfMany(resource);
  const router = useRouter();
  const projects = useProjectStore();
  const groups = shallowRef<CommandGroup<Command>[]>([]);

  const { start: askLater, stop } = useTimeoutFn((wanted: string) => void ask(wanted), TYPING_PAUSE, {
    immediate: false,
  });

  watch(query, (typed) => {
    stop();
    const wanted = typed.trim();
    if (wanted.length < SHORTEST_QUERY) groups.value = [];
    else askLater(wanted);
  });

  async function ask(wanted: string): Promise<void> {
    // The palette does without them while the server does not answer; their own screens say why.
    const found = await resource.find!(projects.current!.id, wanted, MAX_FOUND).catch(() => []);
    if (query.value.trim() !== wanted) return;
    const commands = found.map((one) => ({
      command: commandOf(one),
      match: matchText(wanted, one.label) ?? { score: 0, ranges: [] },
    }));
    groups.value = commands.length > 0 ? [{ name, found: commands }] : [];
  }

  function commandOf({ id, label, hint, to }: FoundObject): Command {
    return { id: `${name} ${id}`, group: name, label, hint, icon, run: () => void router.push(to) };
  }

  return groups;
}
