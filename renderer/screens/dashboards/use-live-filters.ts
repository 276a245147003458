import { computed, shallowRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { Overrides } from '../../api/dashboards.api.ts';
import type { SelectedRange } from '../../insights/query-dates.ts';
import type { useDashboardDraft } from './use-dashboard-draft.ts';

type Fields = Readonly<Record<string, unknown>>;
type Draft = ReturnType<typeof useDashboardDraft>;

/**
 * The dates, conditions and variables that tiles are shown under. While the dashboard is edited they belong to the draft;
 * else they stand in the address (`filters`, `variables`), so that what one sees can be sent and survives a reload.
 */
export function useLiveFilters(draft: Draft, isEditing: () => boolean) {
  const route = useRoute();
  const router = useRouter();

  const inAddress = computed(() => ({
    filters: fieldsOf(route.query['filters']),
    variables: fieldsOf(route.query['variables']),
  }));
  const filters = computed<Fields>(() => ({ ...draft.shown.value?.filters, ...inAddress.value.filters }));
  const variables = computed<Fields>(() => ({
    ...draft.shown.value?.variables,
    ...inAddress.value.variables,
  }));
  /** What is seen differs from what is stored or edited. */
  const isOverlaid = computed(
    () => inAddress.value.filters !== undefined || inAddress.value.variables !== undefined,
  );
  /** What the server has to lay over what it has stored. */
  const overrides = computed<Overrides>(() => {
    const saved = draft.saved.value;
    if (!saved) return {};
    return {
      filters: isEqual(filters.value, saved.filters)
        ? undefined
        : { ...emptied(saved.filters), ...filters.value },
      variables: isEqual(variables.value, saved.variables) ? undefined : variables.value,
    };
  });

  function change(kind: 'filters' | 'variables', label: string, by: Fields): void {
    const now = kind === 'filters' ? filters.value : variables.value;
    const next = { ...now, ...by };
    if (isEditing()) {
      const kept = withoutNulls(next);
      draft.edit(label, kind === 'filters' ? { filters: kept } : { variables: kept });
      if (inAddress.value[kind]) replace({ [kind]: undefined });
    } else replace({ [kind]: JSON.stringify({ ...inAddress.value[kind], ...by }) });
  }

  /** The filters of the address before each range that was selected in a tile; other filters end them. */
  const former = shallowRef<{ before: string | undefined; selected: string }[]>([]);
  const lastZoom = computed(() => {
    const last = former.value.at(-1);
    return last?.selected === route.query['filters'] ? last : undefined;
  });

  /** Shows all tiles at a range that was selected in one of them. */
  function zoom(by: SelectedRange): void {
    const before = typeof route.query['filters'] === 'string' ? route.query['filters'] : undefined;
    const selected = JSON.stringify({ ...inAddress.value.filters, explicitDate: null, ...by });
    former.value = [...(lastZoom.value ? former.value : []), { before, selected }];
    replace({ filters: selected });
  }

  /** Shows them as before the last selected range. */
  function zoomBack(): void {
    const last = lastZoom.value;
    if (!last) return;
    former.value = former.value.slice(0, -1);
    replace({ filters: last.before });
  }

  /** Shows the dashboard under its own filters again. */
  function reset(): void {
    replace({ filters: undefined, variables: undefined });
  }

  /** Makes what is seen the dashboard's own, with these filters besides. */
  function adopt(by: Fields = {}): void {
    draft.edit('change the filters', {
      filters: withoutNulls({ ...filters.value, ...by }),
      variables: variables.value,
    });
    reset();
  }

  function replace(query: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...query } });
  }

  const isZoomed = computed(() => lastZoom.value !== undefined);
  return { filters, variables, overrides, isOverlaid, isZoomed, change, zoom, zoomBack, reset, adopt };
}

/** Undefined when the text is not a JSON object, as in an edited URL. */
function fieldsOf(text: unknown): Fields | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** A key that is laid over as `null` is as good as not there. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Every key as one that says nothing, to lay over those that were taken away. */
function emptied(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, Array.isArray(value) ? [] : null]),
  );
}

function isEqual(one: Fields, other: Fields): boolean {
  return textOf(one) === textOf(other);
}

function textOf(fields: Fields): string {
  return JSON.stringify(Object.entries(withoutNulls(fields)).toSorted(([a], [b]) => a.localeCompare(b)));
}
