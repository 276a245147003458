import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Begins what the address asks for (`?new`), which then asks no more: a reload begins no other. */
export function useNewInAddress(begin: () => void): void {
  const route = useRoute();
  const router = useRouter();
  watch(
    () => route.query['new'],
    (asked) => {
      if (asked === undefined) return;
      const { new: _, ...query } = route.query;
      void router.replace({ query });
      begin();
    },
    { immediate: true },
  );
}
