import { computed, ref, shallowRef } from 'vue';
import {
  createDashboard,
  createFromJson,
  listTemplates,
  type Dashboard,
  type DashboardItem,
} from '../../api/dashboards.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useChange } from '../../composables/use-change.ts';
import { nameOfDashboard } from './dashboard-labels.ts';
import { problemOfTemplate, tilesOf, withoutTiles } from './template-labels.ts';

export const WAYS = [
  { id: 'blank', label: 'Blank' },
  { id: 'template', label: 'Template' },
  { id: 'copy', label: 'Duplicate' },
  { id: 'file', label: 'File' },
] as const;
export type Way = (typeof WAYS)[number]['id'];

type Fields = Readonly<Record<string, unknown>>;

/** A new dashboard: its source and its name. */
export function useNewDashboard(projectId: number, others: () => readonly DashboardItem[]) {
  const way = ref<Way>('blank');
  const name = ref('');
  const templateId = ref('');
  const copiedId = ref('');
  const copiesInsights = ref(false);
  const file = shallowRef<Fields | null>(null);
  const fileName = ref('');
  const fileProblem = ref('');
  const templates = useAnswer(() => listTemplates(projectId));
  const { isBusy, problem, run, reset } = useChange('The dashboard could not be created');

  const template = computed(
    () => templates.answer.value?.find(({ id }) => id === templateId.value) ?? templates.answer.value?.[0],
  );
  const copied = computed(() => others().find(({ id }) => String(id) === copiedId.value) ?? others()[0]);
  /** What it is called while nothing is typed. */
  const suggestion = computed(() => {
    if (way.value === 'template') return template.value?.template_name ?? '';
    if (way.value === 'copy') return copied.value ? `${nameOfDashboard(copied.value)} (copy)` : '';
    return way.value === 'file' ? String(file.value?.['template_name'] ?? '') : 'New dashboard';
  });
  /** Tiles that can be shown beforehand. */
  const tiles = computed(() => {
    if (way.value === 'template') return template.value?.tiles ?? null;
    return way.value === 'file' && file.value ? tilesOf(file.value) : null;
  });
  const canMake = computed(() => {
    if (isBusy.value) return false;
    if (way.value === 'template') return template.value !== undefined;
    if (way.value === 'copy') return copied.value !== undefined;
    return way.value === 'blank' || file.value !== null;
  });

  /** Resets the form, with a source. */
  function begin(next: Way): void {
    way.value = next;
    name.value = '';
    file.value = null;
    fileName.value = '';
    fileProblem.value = '';
    reset();
    void templates.ask();
  }

  async function readFile(chosen: File): Promise<void> {
    fileName.value = chosen.name;
    file.value = null;
    try {
      const read: unknown = JSON.parse(await chosen.text());
      fileProblem.value = problemOfTemplate(read);
      if (fileProblem.value === '') file.value = read as Fields;
    } catch {
      fileProblem.value = 'This file is not JSON.';
    }
  }

  /** Makes it; null when it was refused, which `problem` explains. */
  async function make(): Promise<Dashboard | null> {
    let made: Dashboard | null = null;
    await run(async () => {
      made = await ask(name.value.trim() || suggestion.value);
    });
    return made;
  }

  function ask(called: string): Promise<Dashboard> {
    switch (way.value) {
      case 'blank':
        return createDashboard(projectId, { name: called });
      case 'copy':
        return createDashboard(projectId, {
          name: called,
          use_dashboard: copied.value!.id,
          duplicate_tiles: copiesInsights.value,
        });
      case 'template':
        return createFromJson(projectId, { ...template.value!, template_name: called });
      case 'file':
        return makeFromFile(projectId, { ...file.value!, template_name: called });
    }
  }

  return {
    way,
    name,
    templateId,
    copiedId,
    copiesInsights,
    fileName,
    fileProblem,
    templates,
    template,
    copied,
    suggestion,
    tiles,
    canMake,
    isBusy,
    problem,
    begin,
    readFile,
    make,
  };
}

/** A template has tiles (management contract 3.8), so an empty dashboard is created like a blank one. */
function makeFromFile(projectId: number, file: Fields): Promise<Dashboard> {
  return tilesOf(file).length > 0
    ? createFromJson(projectId, file)
    : createDashboard(projectId, withoutTiles(file));
}
