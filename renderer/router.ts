import type { Component } from 'vue';
import {
  createRouter,
  createWebHistory,
  START_LOCATION,
  type RouteLocation,
  type RouteRecordRaw,
} from 'vue-router';
import { useProjectStore } from './stores/project.store.ts';
import { useSessionStore } from './stores/session.store.ts';

/** How a screen appears in the sidebar and the palette. */
export interface NavigationEntry {
  icon: Component;
  /** The letter after G. */
  key: string;
  /** `off`: reached by its key, the palette and links, not by a line of the sidebar. */
  place: 'top' | 'bottom' | 'off';
  order: number;
}

declare module 'vue-router' {
  interface RouteMeta {
    title: string;
    navigation?: NavigationEntry;
    /** The sidebar screen that is the parent of this one. */
    parent?: string;
    /** Shows one thing, which the path names. */
    isOneThing?: boolean;
    /** Shown without the shell, without signing in. */
    isPublic?: boolean;
    /** With `?kiosk` in the address it is shown without the shell: for a screen on a wall. */
    hasKiosk?: boolean;
  }
}

const routes = Object.values(
  import.meta.glob<RouteRecordRaw[]>('./screens/*/index.ts', { eager: true, import: 'routes' }),
).flat();

/** The screens that have a place in the sidebar, in its order. */
export const navigableRoutes = routes
  .filter((route) => route.meta?.navigation)
  .toSorted((a, b) => (a.meta?.navigation?.order ?? 0) - (b.meta?.navigation?.order ?? 0));

/** The console's router: screens are found by their folders, and none is shown before the user is signed in. */
export function createConsoleRouter() {
  const router = createRouter({
    history: createWebHistory(),
    routes: [...routes, { path: '/', name: 'start', redirect: startOf }],
  });

  router.beforeEach((to) => {
    if (to.meta.isPublic) return true;
    if (!useSessionStore().isSignedIn)
      return { name: 'sign-in', query: { next: to.fullPath }, replace: true };
    const { projectId } = to.params;
    const projects = useProjectStore();
    const isKnown = projectId === undefined || projects.select(Number(projectId));
    if (!isKnown) return nothingAt(to);
    // What others write without a project, such as in a chat: `/insights`.
    if (to.name === 'not-found' && projectId === undefined && projects.current) {
      const below = router.resolve(`/project/${projects.current.id}${to.fullPath}`);
      if (below.name !== 'not-found') return { ...below, replace: true };
    }
    // Home shows what has come: until the first event has, that is Connect.
    const isWaiting = to.name === 'home' && projects.current?.ingested_event === false;
    return isWaiting ? { name: 'connect', params: to.params } : true;
  });

  // A screen that fails to load belongs to an older build of the console: the page is reloaded once.
  router.onError((_error, to, from) => {
    if (from !== START_LOCATION) location.assign(to.fullPath);
  });

  router.afterEach((to, from) => {
    // Within a page its screen has written a better title, such as the name of what it shows.
    if (to.path === from.path && from !== START_LOCATION) return;
    const project = to.meta.isPublic ? undefined : useProjectStore().current?.name;
    document.title = [to.meta.title, project, 'Burrow'].filter(Boolean).join(' · ');
  });

  return router;
}

/** The address stays, so that it can be read and mended. */
function nothingAt({ path, query, hash }: RouteLocation) {
  return { name: 'not-found', params: { rest: path.slice(1).split('/') }, query, hash };
}

/** The default page: Home of the default project, or sign-in. */
function startOf() {
  const project = useProjectStore().home;
  return project ? { name: 'home', params: { projectId: project.id } } : { name: 'sign-in' };
}
