import { useRouter } from 'vue-router';
import { toast } from 'vue-sonner';
import { api, type AnswerOf, type BodyOf } from '../../api/client.ts';
import type {
  DashboardJson as Dashboard,
  TileJson as DashboardTile,
} from '../../../server/features/dashboards/dashboards.contract.ts';
import type { TemplateBody } from '../../../server/features/dashboard-templates/dashboard-templates.contract.ts';
import type { DateSpan } from '../../ui/dates/date-ranges.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { offerUndo } from '../../composables/offer-undo.ts';
import { fileNameOf, saveAsFile } from '../../composables/save-as-file.ts';
import { saveAsPicture } from '../../composables/save-as-picture.ts';
import { resultsOf } from '../../insights/answer.ts';
import { csvOf } from '../../insights/csv.ts';
import { insightQueryOf, tableOf } from '../../insights/kinds.ts';
import type { ShownTile, ShownDashboard } from './dashboard-draft.ts';
import type { NewInsightKind } from './new-insights.ts';
import { withLook } from './tile-look.ts';
import { nameOfTile } from './tile-labels.ts';
import type { useDashboardDraft } from './use-dashboard-draft.ts';
import type { TileAnswer } from './use-tile-answers.ts';

type Draft = ReturnType<typeof useDashboardDraft>;

/** Actions on a dashboard or a tile that apply immediately, without a draft. Failures are shown as toasts. */
export function useDashboardActions(projectId: number, id: number, draft: Draft) {
  const router = useRouter();

  async function trying(undone: string, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      showFailure(error, undone);
      return false;
    }
  }

  /** Changes what is beside the tiles. */
  function change(next: BodyOf<'PATCH P/dashboards/:id/'>): Promise<boolean> {
    return trying('The dashboard could not be saved', async () =>
      draft.take(await api.patch('P/dashboards/:id/', { projectId, id, body: next })),
    );
  }

  /** Moves a stored tile to another dashboard, from which it can be brought back. */
  function move(tile: ShownTile, to: { id: number; name: string }): Promise<boolean> {
    return trying('The tile could not be moved', async () => {
      await api.patch('P/dashboards/:id/move_tile/', {
        projectId,
        id,
        body: { tile: { id: tile.id! }, toDashboard: to.id },
      });
      await draft.load();
      offerUndo(`${nameOfTile(tile)} moved to ${to.name}`, 'The tile', async () => {
        await api.patch('P/dashboards/:id/move_tile/', {
          projectId,
          id: to.id,
          body: { tile: { id: tile.id! }, toDashboard: id },
        });
        await draft.load();
      });
    });
  }

  /** Adds the content of a tile to another dashboard. */
  function copy(tile: ShownTile, to: { id: number; name: string }): Promise<boolean> {
    return trying('The tile could not be copied', async () => {
      await api.post('P/dashboards/:id/copy_tile/', {
        projectId,
        id: to.id,
        body: { fromDashboardId: id, tileId: tile.id! },
      });
      toast(`${nameOfTile(tile)} added to ${to.name}`, {
        action: {
          label: 'Open dashboard',
          onClick: () =>
            void router.push({
              name: 'dashboard',
              params: { projectId, dashboardId: to.id },
              query: tile.insight ? { added: tile.insight.id } : {},
            }),
        },
      });
    });
  }

  /** Renames the insight of a tile, on every dashboard. */
  function rename(tile: ShownTile, name: string): Promise<boolean> {
    const { id: insightId } = tile.insight!;
    return trying('The insight could not be renamed', async () => {
      await api.patch('P/insights/:id/', { projectId, id: insightId, body: { name } });
      const { tiles, ...rest } = draft.saved.value!;
      draft.take({
        ...rest,
        tiles: tiles.map((one) =>
          one.insight?.id === insightId ? { ...one, insight: { ...one.insight, name } } : one,
        ),
      });
    });
  }

  /** Sets the date range of a stored tile, which those of the dashboard do not override; null: none of its own. */
  function setDates(tile: ShownTile, span: DateSpan | null): Promise<boolean> {
    const stored = draft.saved.value!.tiles.find(({ id: its }) => its === tile.id);
    const { date_from: _from, date_to: _to, ...others } = stored?.filters_overrides ?? {};
    const own = span ? { ...others, date_from: span.from, date_to: span.to } : others;
    return change({
      tiles: [{ id: tile.id!, filters_overrides: Object.keys(own).length > 0 ? own : null }],
    });
  }

  /** Deletes the dashboard; it can be brought back. */
  async function remove(): Promise<void> {
    const { name } = draft.saved.value!;
    const isDone = await trying('The dashboard could not be deleted', async () => {
      await api.patch('P/dashboards/:id/', { projectId, id, body: { deleted: true } });
    });
    if (!isDone) return;
    await router.push({ name: 'dashboards', params: { projectId } });
    offerUndo(`${name || 'Dashboard'} deleted`, 'The dashboard', async () => {
      await api.patch('P/dashboards/:id/', { projectId, id, body: { deleted: false } });
      await router.push({ name: 'dashboard', params: { projectId, dashboardId: id } });
    });
  }

  /** A copy with insights of its own, which is opened. */
  function duplicate(): Promise<boolean> {
    return trying('The dashboard could not be duplicated', async () => {
      const name = `${draft.saved.value!.name} (copy)`;
      const made = await api.post('P/dashboards/', {
        projectId,
        body: { name, use_dashboard: id, duplicate_tiles: true },
      });
      await router.push({ name: 'dashboard', params: { projectId, dashboardId: made.id } });
    });
  }

  /** Exports the dashboard to a file that can be imported, here or elsewhere. */
  function exportFile(): Promise<boolean> {
    return trying('The dashboard could not be exported', async () => {
      const shown = draft.shown.value!;
      const insights = shown.tiles.flatMap(({ insight }) => (insight ? [insight] : []));
      const stored = await Promise.all(
        insights.map(({ id: its }) =>
          api.get('P/insights/:id/', { projectId, id: its, query: { basic: true } }),
        ),
      );
      const file = templateOf(shown, {
        saved: draft.saved.value!,
        storedQueries: new Map(stored.map(({ id: its, query }) => [its, query])),
      });
      saveAsFile(fileNameOf(shown.name, 'json'), JSON.stringify(file, null, 2), 'application/json');
    });
  }

  /** What is seen of a tile or of all of them, as a picture. */
  function savePicture(name: string, element: HTMLElement | null): Promise<boolean> {
    return trying('The image could not be created', async () => {
      if (element) await saveAsPicture(fileNameOf(name, 'png'), element);
    });
  }

  /** A new insight, with the query that its kind begins with; null when it was refused. */
  async function makeInsight({ id: kind, label, query }: NewInsightKind) {
    const name = `New ${kind === 'sql' ? label : label.toLowerCase()}`;
    let made: AnswerOf<'POST P/insights/'> | null = null;
    await trying('The insight could not be created', async () => {
      // It is in no list until it is on a dashboard, so that a discarded draft leaves no insight behind.
      made = await api.post('P/insights/', { projectId, body: { name, query, saved: false } });
    });
    return made as AnswerOf<'POST P/insights/'> | null;
  }

  return { change, move, copy, rename, setDates, remove, duplicate, exportFile, savePicture, makeInsight };
}

/** Saves the numbers of a tile as a file for spreadsheets. */
export function saveCsv(tile: ShownTile, { query, answer }: TileAnswer): void {
  const insightQuery = insightQueryOf(query);
  const results = resultsOf(answer);
  const { columns, rows } = insightQuery
    ? tableOf(insightQuery, results)
    : { columns: [...(answer.columns ?? [])], rows: (results ?? []) as unknown[][] };
  saveAsFile(fileNameOf(nameOfTile(tile), 'csv'), csvOf([columns, ...rows]), 'text/csv');
}

type Fields = Readonly<Record<string, unknown>>;

/** A template as a file: what `create_from_template_json` takes. */
type TemplateFile = Pick<
  TemplateBody,
  | 'template_name'
  | 'dashboard_description'
  | 'dashboard_filters'
  | 'dashboard_variables'
  | 'tiles'
  | 'tags'
  | 'variables'
>;

/**
 * A dashboard as a template (management contract 3.8): the file that `create_from_template_json` takes, here and at
 * PostHog, which passes over what it does not know. `storedQueries` are the insights' own queries, without the filters
 * that the dashboard lays over them.
 */
function templateOf(
  { name, description, filters, variables, tiles, boxes }: ShownDashboard,
  { saved, storedQueries }: { saved: Dashboard; storedQueries: ReadonlyMap<number, unknown> },
): TemplateFile {
  const stored = new Map(saved.tiles.map((tile) => [tile.id, tile]));
  return {
    template_name: name.trim() || 'Dashboard',
    dashboard_description: description,
    dashboard_filters: { ...filters },
    dashboard_variables: { ...variables },
    tags: [...saved.tags],
    variables: null,
    tiles: tiles.map((tile) => {
      const before = tile.id === null ? undefined : stored.get(tile.id);
      return {
        ...contentOf(tile, storedQueries),
        layouts: { ...before?.layouts, sm: { ...(before?.layouts['sm'] as object), ...boxes[tile.key]! } },
        color: tile.color,
        ...saidOf(tile, before),
      };
    }),
  };
}

function contentOf({ text, insight, look }: ShownTile, storedQueries: ReadonlyMap<number, unknown>): Fields {
  if (!insight) return { type: 'TEXT', body: text ?? '' };
  return {
    type: 'INSIGHT',
    name: insight.name,
    description: insight.description,
    query: withLook(storedQueries.get(insight.id) ?? insight.query, look ?? {}),
  };
}

/** What is written only of tiles of which it was said. */
function saidOf({ isSection, showDescription }: ShownTile, before: DashboardTile | undefined): Fields {
  const isDescriptionSaid = showDescription || before?.show_description !== undefined;
  const isBackgroundSaid = isSection || before?.transparent_background !== undefined;
  return {
    ...(isDescriptionSaid ? { show_description: showDescription } : {}),
    ...(isBackgroundSaid ? { transparent_background: before?.transparent_background ?? isSection } : {}),
    ...(before?.filters_overrides === undefined ? {} : { filters_overrides: before.filters_overrides }),
  };
}
