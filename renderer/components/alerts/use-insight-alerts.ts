import { computed, ref, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { api } from '../../api/client.ts';
import type { BasicInsightJson as Insight } from '../../../server/features/insights/insights.contract.ts';
import { alertSubject } from './alert-labels.ts';

/** How many alerts an insight has, and whether their sheet is open; `?alert=` of the address opens one, as notifications do. */
export function useInsightAlerts(projectId: number, insight: () => Insight | null) {
  const route = useRoute();
  const router = useRouter();
  const count = ref(0);
  const isOpen = ref(false);
  /** It was open once: the sheet stays, so that it can give the focus back. */
  const isLoaded = ref(false);
  const shown = ref<string | null>(null);
  const canHaveAlerts = computed(() => alertSubject(insight()?.query) !== null);

  watch(
    () => insight()?.id,
    async (id) => {
      if (id === undefined || !canHaveAlerts.value) return;
      // Without the count the button is there all the same.
      const page = await api
        .get('P/alerts/', { projectId, query: { insight_id: id, limit: 1 } })
        .catch(() => null);
      if (insight()?.id === id) count.value = page?.count ?? 0;
    },
    { immediate: true },
  );
  watch(
    () => route.query['alert'],
    (id) => {
      if (typeof id === 'string' && id !== '') open(id);
    },
    { immediate: true },
  );
  // The same address opens it again.
  watch(isOpen, (now) => {
    if (!now && route.query['alert'] !== undefined)
      void router.replace({ query: { ...route.query, alert: undefined } });
  });

  function open(id: string | null = null): void {
    shown.value = id;
    isLoaded.value = true;
    isOpen.value = true;
  }

  return { count, isOpen, isLoaded, shown, canHaveAlerts, open };
}
