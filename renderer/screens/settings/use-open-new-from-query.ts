import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Calls `begin` for `?new` in the URL and removes the parameter, so that a reload does not open it again. */
export function useOpenNewFromQuery(begin: () => void): void {
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
