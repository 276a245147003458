import { useTimeoutFn } from '@vueuse/core';
import { shallowRef, watch, type Component, type Ref } from 'vue';
import { useRouter, type RouteLocationRaw } from 'vue-router';
import { useProjectStore } from '../stores/project.store.ts';
import type { CommandGroup } from './find-commands.ts';
import { matchText } from './match-text.ts';
import type { Command } from './command.ts';

/** A thing that a query found, and the way to it. */
export interface Found {
  id: string;
  label: string;
  hint?: string | undefined;
  to: RouteLocationRaw;
}

interface Finder {
  /** What the things are called: `Persons`. */
  name: string;
  icon: Component;
  find(projectId: number, query: string): Promise<Found[]>;
}

/** Shorter queries match too many objects. */
const SHORTEST_QUERY = 2;
/** Milliseconds without a key press before the server is searched. */
const TYPING_PAUSE = 150;

/** The things of one kind that the server finds for a query of the palette; a group of at most one. */
export function useFoundCommands(query: Readonly<Ref<string>>, { name, icon, find }: Finder) {
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
    const found = await find(projects.current!.id, wanted).catch(() => []);
    if (query.value.trim() !== wanted) return;
    const commands = found.map((one) => ({
      command: commandOf(one),
      match: matchText(wanted, one.label) ?? { score: 0, ranges: [] },
    }));
    groups.value = commands.length > 0 ? [{ name, found: commands }] : [];
  }

  function commandOf({ id, label, hint, to }: Found): Command {
    return { id: `${name} ${id}`, group: name, label, hint, icon, run: () => void router.push(to) };
  }

  return groups;
}
