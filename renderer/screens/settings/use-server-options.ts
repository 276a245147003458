import { computed, reactive, shallowRef } from 'vue';
import {
  changeServerOptions,
  restartServer,
  type OptionChanges,
  type ServerOptions,
} from '../../api/desktop.api.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { formatBytes } from '../../ui/format.ts';

export type OptionName = ServerOptions['options'][number]['name'];

/** One option as a form shows it. */
export interface OptionField {
  /** Where it is set and cannot be changed here: `BURROW_PORT`; null: here. */
  fixedBy: string | null;
  /** What the next start takes. */
  value: string;
  running: string;
  default: string;
  isDefault: boolean;
  isPending: boolean;
}

const FILE = 'settings.json';

/** The options of the desktop app's server: a draft of each, saved together, which count from the server's next start. */
export function useServerOptions() {
  const found = shallowRef<ServerOptions | null>(null);
  const draft = reactive<Partial<Record<OptionName, string>>>({});
  const isBusy = shallowRef(false);

  const fields = computed(() => {
    const entries = (found.value?.options ?? []).map(
      ({ name, running, value, source, default: usual }): [OptionName, OptionField] => [
        name,
        {
          fixedBy: source === FILE ? null : source,
          value: textOf(name, value),
          running: textOf(name, running),
          default: textOf(name, usual),
          isDefault: source === null,
          isPending: running !== value,
        },
      ],
    );
    return Object.fromEntries(entries) as Partial<Record<OptionName, OptionField>>;
  });
  const changes = computed(() => {
    const changed: OptionChanges = {};
    for (const [name, field] of Object.entries(fields.value) as [OptionName, OptionField][]) {
      const text = draft[name]?.trim() ?? field.value;
      // An empty field goes back to the default, and so does the default itself once it is set.
      if (text !== field.value) changed[name] = text === '' || text === field.default ? null : text;
    }
    return changed;
  });
  const isChanged = computed(() => Object.keys(changes.value).length > 0);
  const isPending = computed(() => Object.values(fields.value).some((field) => field.isPending));

  function problemOf(name: OptionName | null): string {
    return found.value?.problems.find((problem) => problem.name === name)?.text ?? '';
  }

  /** What was refused stays in its field. Returns whether everything is saved. */
  async function send(changed: OptionChanges): Promise<boolean> {
    isBusy.value = true;
    try {
      const answer = await changeServerOptions(changed);
      found.value = answer.options.length > 0 ? answer : { ...answer, options: found.value?.options ?? [] };
      if (answer.problems.length > 0) return false;
      for (const name of Object.keys(draft) as OptionName[]) delete draft[name];
      return true;
    } catch (error) {
      showFailure(error, 'The settings of the server could not be read');
      return false;
    } finally {
      isBusy.value = false;
    }
  }

  async function restart(): Promise<void> {
    if (isChanged.value && !(await send(changes.value))) return;
    await restartServer();
  }

  return {
    found,
    fields,
    draft,
    isBusy,
    isChanged,
    isPending,
    problemOf,
    load: () => send({}),
    save: () => send(changes.value),
    restart,
  };
}

/** Sizes are shown with a unit, which the server reads too. */
function textOf(name: OptionName, value: string): string {
  return name === 'memory-limit' ? formatBytes(Number(value)) : value;
}
