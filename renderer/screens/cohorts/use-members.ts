import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listMembers } from '../../api/cohorts.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';

const PAGE_SIZE = 100;

/** The members of a cohort, the page that the address names. */
export function useMembers(projectId: number, cohortId: number) {
  const route = useRoute();
  const router = useRouter();

  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) =>
      void router.replace({ query: { ...route.query, page: next > 1 ? String(next) : undefined } }),
  });
  const members = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    return { ...(await listMembers(projectId, cohortId, { limit: PAGE_SIZE, offset })), offset };
  });

  watch(page, () => {
    if (route.name === 'cohort') void members.ask();
  });
  void members.ask();
  return { ...members, page };
}
