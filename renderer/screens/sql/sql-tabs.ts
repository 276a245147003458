import { ref, shallowReactive, watch } from 'vue';
import { sqlOf, type SqlNode } from '../../insights/hogql/sql-node.ts';
import type { Run } from './use-run.ts';

/** A query that is open: a saved insight, or one without a name. */
export interface SqlTab {
  id: string;
  /** The short ID of the insight; null for a query that is not saved. */
  insightId: string | null;
  name: string;
  /** What is not saved; null for nothing. */
  draft: SqlNode | null;
}

interface Stored {
  tabs: readonly SqlTab[];
  /** The query without insight that was looked at last. */
  current: string | null;
}

const MOST = 20;
/** Results that are kept while other tabs are looked at. */
const MOST_RUNS = 5;
const keyOf = (projectId: number): string => `burrow.sql-tabs.${projectId}`;

const runs = shallowReactive(new Map<string, Run>());
const opened = new Map<number, ReturnType<typeof createSqlTabs>>();

/** The open queries of a project, kept in this browser, so that they survive a reload and other screens. */
export function useSqlTabs(projectId: number) {
  const known = opened.get(projectId) ?? createSqlTabs(projectId);
  opened.set(projectId, known);
  return known;
}

function createSqlTabs(projectId: number) {
  const state = ref<Stored>(read(projectId));

  watch(
    state,
    (stored) => {
      try {
        localStorage.setItem(keyOf(projectId), JSON.stringify(stored));
      } catch {
        // A browser without storage, or one that is full, still has the tabs until it is closed.
      }
    },
    { flush: 'sync' },
  );

  const find = (id: string) => state.value.tabs.find((tab) => tab.id === id);

  function put(tabs: readonly SqlTab[], current: string | null = state.value.current): void {
    // Beyond the limit the oldest ones that hold nothing unsaved are closed first, and never the newest.
    const older = tabs.slice(0, -1).filter((tab) => tab.draft === null);
    const spare = new Set(older.slice(0, Math.max(0, tabs.length - MOST)));
    state.value = { tabs: tabs.filter((tab) => !spare.has(tab)).slice(-2 * MOST), current };
  }

  function add(insightId: string | null, name: string): SqlTab {
    const tab = { id: crypto.randomUUID(), insightId, name, draft: null };
    put([...state.value.tabs, tab], insightId === null ? tab.id : state.value.current);
    return tab;
  }

  /** The tab of an insight, a new one where none is open. */
  function openInsight(insightId: string): SqlTab {
    return state.value.tabs.find((tab) => tab.insightId === insightId) ?? add(insightId, 'Insight');
  }

  /**
   * A tab without an insight: the one with this text in the address, an empty one, or a new one; without a text the
   * current one.
   */
  function openText(text: string | null, textOf: (draft: SqlNode) => string | undefined): SqlTab {
    const own = state.value.tabs.filter((tab) => tab.insightId === null);
    const current = own.find((tab) => tab.id === state.value.current);
    const holds = (tab: SqlTab) => tab.draft !== null && textOf(tab.draft) === text;
    const isFree = (tab: SqlTab) => tab.draft === null;
    const found =
      text === null
        ? (current ?? own[0])
        : ([current, ...own].find((tab) => tab && holds(tab)) ??
          [current, ...own].find((tab) => tab && isFree(tab)));
    if (!found) return add(null, nextName());
    setCurrent(found.id);
    return found;
  }

  function nextName(): string {
    const names = new Set(state.value.tabs.map(({ name }) => name));
    for (let number = 1; ; number += 1) if (!names.has(`Untitled ${number}`)) return `Untitled ${number}`;
  }

  function update(id: string, part: Partial<Omit<SqlTab, 'id'>>): void {
    put(state.value.tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)));
  }

  function setCurrent(id: string): void {
    if (state.value.current !== id) put(state.value.tabs, id);
  }

  /** Closes a tab; returns the one to show in its place, and how to open it again. */
  function close(id: string): { next: SqlTab | null; undo: () => void } {
    const before = state.value.tabs;
    const index = before.findIndex((tab) => tab.id === id);
    const tabs = before.filter((tab) => tab.id !== id);
    put(tabs);
    const undo = () => put(state.value.tabs.toSpliced(index, 0, before[index]!));
    return { next: tabs[Math.min(index, tabs.length - 1)] ?? null, undo };
  }

  function keepRun(id: string, run: Run): void {
    runs.delete(id);
    runs.set(id, run);
    for (const oldest of [...runs.keys()].slice(0, -MOST_RUNS)) runs.delete(oldest);
  }

  return {
    state,
    find,
    openInsight,
    openText,
    addText: () => add(null, nextName()),
    update,
    setCurrent,
    close,
    keepRun,
    runOf: (id: string) => runs.get(id) ?? null,
  };
}

export type SqlTabs = ReturnType<typeof createSqlTabs>;

/** None when the browser has no storage, or another value under this key. */
function read(projectId: number): Stored {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '{}') as Partial<Stored>;
    const tabs = Array.isArray(stored.tabs) ? stored.tabs.flatMap(readTab).slice(0, 2 * MOST) : [];
    return { tabs, current: typeof stored.current === 'string' ? stored.current : null };
  } catch {
    return { tabs: [], current: null };
  }
}

function readTab(one: unknown): SqlTab[] {
  const tab = (one ?? {}) as Partial<SqlTab>;
  if (typeof tab.id !== 'string' || typeof tab.name !== 'string') return [];
  const insightId = typeof tab.insightId === 'string' ? tab.insightId : null;
  return [{ id: tab.id, insightId, name: tab.name, draft: sqlOf(tab.draft) }];
}
