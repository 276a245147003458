import { computed, ref, shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import type {
  DashboardJson as Dashboard,
  DashboardListItem as DashboardItem,
} from '../../../server/features/dashboards/dashboards.contract.ts';
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
  const templates = useAnswer(async () => {
    const page = await api.get('P/dashboard_templates/', { projectId, query: { limit: 100 } });
    return page.results;
  });
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
        return api.post('P/dashboards/', { projectId, body: { name: called } });
      case 'copy':
        return api.post('P/dashboards/', {
          projectId,
          body: {
            name: called,
            use_dashboard: copied.value!.id,
            duplicate_tiles: copiesInsights.value,
          },
        });
      case 'template':
        return makeFromTemplate(projectId, { ...template.value!, template_name: called });
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

async function makeFromTemplate(projectId: number, template: Fields): Promise<Dashboard> {
  const made = await api.post('P/dashboards/create_from_template_json/', {
    projectId,
    body: { template },
    requestsRepresentation: true,
  });
  return made!;
}

/** A template has tiles (management contract 3.8), so an empty dashboard is created like a blank one. */
function makeFromFile(projectId: number, file: Fields): Promise<Dashboard> {
  return tilesOf(file).length > 0
    ? makeFromTemplate(projectId, file)
    : api.post('P/dashboards/', { projectId, body: withoutTiles(file) });
}
