import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Whether the deleted items of a list are open: in its address, `?deleted`, so that the palette leads to them. */
export function useDeletedDialog(): WritableComputedRef<boolean> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => 'deleted' in route.query,
    set(open) {
      const { deleted: _, ...query } = route.query;
      void router.replace({ query: open ? { ...query, deleted: '' } : query });
    },
  });
}
