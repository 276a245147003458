import { ref, watch } from 'vue';

/** A query that ran, and what became of it. */
export interface PastQuery {
  text: string;
  /** Unix milliseconds; null for one of an older version. */
  at: number | null;
  rows: number | null;
  milliseconds: number | null;
  isFailed: boolean;
}

const MOST = 50;
/** Longer texts are not kept: the storage of a browser is small. */
const MAX_TEXT = 20_000;
const keyOf = (projectId: number): string => `burrow.queries.${projectId}`;

/** The queries that ran last in a project, newest first, each once, kept in this browser alone. */
export function useQueryHistory(projectId: number) {
  const past = ref<readonly PastQuery[]>(read(projectId));

  watch(past, (queries) => {
    try {
      localStorage.setItem(keyOf(projectId), JSON.stringify(queries));
    } catch {
      // A browser without storage still runs everything.
    }
  });

  function remember(query: PastQuery): void {
    const text = query.text.trim();
    if (text === '' || text.length > MAX_TEXT) return;
    past.value = [{ ...query, text }, ...past.value.filter((one) => one.text !== text)].slice(0, MOST);
  }

  function clear(): void {
    past.value = [];
  }

  return { past, remember, clear };
}

/** None when the browser has no storage, or another value under this key; texts alone are of an older version. */
function read(projectId: number): PastQuery[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(readOne).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function readOne(one: unknown): PastQuery[] {
  const none = { at: null, rows: null, milliseconds: null, isFailed: false };
  if (typeof one === 'string') return [{ ...none, text: one }];
  const query = (one ?? {}) as Partial<PastQuery>;
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  if (typeof query.text !== 'string') return [];
  return [
    {
      text: query.text,
      at: numberOf(query.at),
      rows: numberOf(query.rows),
      milliseconds: numberOf(query.milliseconds),
      isFailed: query.isFailed === true,
    },
  ];
}
