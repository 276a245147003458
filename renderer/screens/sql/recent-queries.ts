import { ref, watch } from 'vue';

const MOST = 30;
const keyOf = (projectId: number): string => `burrow.queries.${projectId}`;

/** The queries that ran last in a project, newest first, kept in this browser alone. */
export function useRecentQueries(projectId: number) {
  const recent = ref<readonly string[]>(read(projectId));

  watch(recent, (texts) => {
    try {
      localStorage.setItem(keyOf(projectId), JSON.stringify(texts));
    } catch {
      // A browser that keeps nothing still runs everything.
    }
  });

  function remember(text: string): void {
    const known = text.trim();
    if (known !== '') recent.value = [known, ...recent.value.filter((one) => one !== known)].slice(0, MOST);
  }

  return { recent, remember };
}

/** None when the browser has no storage, or another value under this key. */
function read(projectId: number): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : [];
  } catch {
    return [];
  }
}
