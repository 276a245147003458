import { Search } from '@lucide/vue';
import { computed, type Ref } from 'vue';
import { useRouter } from 'vue-router';
import { RESOURCES } from '../composables/resources.ts';
import { usePreferencesStore, type OpenedEntry } from '../stores/preferences.store.ts';
import { useProjectStore } from '../stores/project.store.ts';
import { useSessionStore } from '../stores/session.store.ts';
import type { Command } from './command.ts';

const MOST_KEPT = 12;
const MOST_SHOWN = 5;
/** Groups of commands that open a screen; only these are listed as recent. */
const PLACES = new Set(['Go to', 'Settings']);

/** What this user has opened from the palette in this project; kept by the browser. */
export function useOpened(commands: Readonly<Ref<readonly Command[]>>) {
  const router = useRouter();
  const projects = useProjectStore();
  const preferences = usePreferencesStore();
  const session = useSessionStore();

  // By user: who signs in next in this browser does not see what others have opened.
  const key = computed(() => `${session.session?.user.uuid} ${projects.current?.id}`);
  const entries = computed(() => preferences.opened[key.value] ?? []);
  const ids = computed(() => entries.value.map(({ id }) => id));
  const shown = computed(() => entries.value.flatMap(commandsOf).slice(0, MOST_SHOWN));

  /** A command is taken from those there are now: a place that is not offered any more is left out. */
  function commandsOf(entry: OpenedEntry): Command[] {
    const { id, label, hint, isCode, path } = entry;
    if (path === undefined) return commands.value.filter((command) => command.id === id);
    const noun = id.slice(0, id.indexOf(' '));
    const resource = RESOURCES.find((one) => one.noun === noun);
    if (resource === undefined) return [];
    const { icon = Search, one } = resource;
    const kind = one.charAt(0).toUpperCase() + one.slice(1);
    return [
      {
        id,
        group: 'Recent',
        label,
        icon,
        isCode,
        hint: [kind, hint].filter(Boolean).join(', '),
        to: path,
        run: () => void router.push(path),
      },
    ];
  }

  function remember(command: Command): void {
    const isCommand = commands.value.some(({ id }) => id === command.id);
    if (command.to === undefined || (isCommand && !PLACES.has(command.group))) return;
    const { id, label, hint, isCode, to } = command;
    const known = entries.value.find((entry) => entry.id === id);
    const entry =
      known ?? (isCommand ? { id, label } : { id, label, hint, isCode, path: router.resolve(to).fullPath });
    const others = entries.value.filter((one) => one.id !== id);
    preferences.opened = {
      ...preferences.opened,
      [key.value]: [entry, ...others].slice(0, MOST_KEPT),
    };
  }

  return { ids, shown, remember };
}
