import {
  ArchiveRestore,
  BookOpen,
  FileUp,
  Copy,
  FolderPlus,
  Folder,
  Keyboard,
  LogOut,
  PanelLeft,
  Pause,
  Play,
  Plus,
  Sparkles,
} from '@lucide/vue';
import { computed } from 'vue';
import { useRouter, type RouteLocationRaw } from 'vue-router';
import { copyWithToast } from '../composables/copy-with-toast.ts';
import { GUIDES, REFERENCES } from '../composables/guide-pages.ts';
import { RESOURCES } from '../composables/resources.ts';
import { settingsPages } from '../composables/settings-pages.ts';
import { THEMES } from '../composables/themes.ts';
import { navigableRoutes } from '../router.ts';
import { useDemoStore } from '../stores/demo.store.ts';
import { PAUSES, useNoticesStore } from '../stores/notices.store.ts';
import { usePreferencesStore } from '../stores/preferences.store.ts';
import { useProjectStore } from '../stores/project.store.ts';
import { useSessionStore } from '../stores/session.store.ts';
import type { Command } from './command.ts';
import { synonymsOf } from './synonyms.ts';
import { useShellActions } from './use-shell-actions.ts';

interface ShellDialogs {
  createProject(): void;
  showKeys(): void;
}

/** Everything the palette can do, in the order of an empty query. */
export function useCommands(dialogs: ShellDialogs) {
  const router = useRouter();
  const projects = useProjectStore();
  const preferences = usePreferencesStore();
  const session = useSessionStore();
  const notices = useNoticesStore();
  const demo = useDemoStore();
  const { openProject, signOut } = useShellActions();

  const createProject: Command = {
    id: 'create-project',
    group: 'Projects',
    label: 'New project',
    icon: FolderPlus,
    run: dialogs.createProject,
  };

  const createDemo: Command = {
    id: 'demo-data',
    group: 'Projects',
    label: 'Try with demo data',
    icon: Sparkles,
    hint: 'a project of its own',
    run: () => (demo.isOpen = true),
  };

  const importData = computed<Command>(() => ({
    id: 'import-data',
    group: 'Commands',
    label: 'Import data',
    icon: FileUp,
    hint: 'a file of events',
    ...leadsTo({ name: 'imports', params: { projectId: projects.current!.id } }),
  }));

  const screens = computed<Command[]>(() =>
    navigableRoutes.map((route) => ({
      id: `go-${String(route.name)}`,
      group: 'Go to',
      label: route.meta!.title,
      icon: route.meta!.navigation!.icon,
      keys: `g ${route.meta!.navigation!.key}`,
      ...leadsTo({ name: route.name!, params: { projectId: projects.current!.id } }),
    })),
  );

  /** The log is already among the screens. */
  const settings = computed<Command[]>(() =>
    settingsPages(projects.current!.id)
      .filter(({ id }) => id !== 'activity')
      .map(({ id, label, icon, to }) => ({
        id: `settings-${id}`,
        group: 'Settings',
        label,
        icon,
        ...leadsTo(to),
      })),
  );

  /** The deleted items of each list. */
  const deletions = computed<Command[]>(() =>
    RESOURCES.filter(({ deleted, list }) => deleted && list).map(({ list, many }) => ({
      id: `deleted-${list}`,
      group: 'Go to',
      label: `Deleted ${many}`,
      icon: ArchiveRestore,
      ...leadsTo({ name: list!, params: { projectId: projects.current!.id }, query: { deleted: '' } }),
    })),
  );

  const otherProjects = computed<Command[]>(() => [
    ...projects.projects
      .filter((project) => project.id !== projects.current?.id)
      .map((project) => ({
        id: `project-${project.id}`,
        group: 'Projects',
        label: project.name,
        icon: Folder,
        hint: project.ingested_event ? undefined : 'no events yet',
        run: () => openProject(project),
      })),
    ...(session.isAdmin ? [createProject, createDemo] : []),
  ]);

  /** The lines that create an object: each opens its form. */
  const creations = computed<Command[]>(() => {
    const projectId = projects.current!.id;
    return RESOURCES.flatMap(({ one, icon: usual = Plus, create = [] }) =>
      create
        .filter(({ isForAdmins }) => session.isAdmin || !isForAdmins)
        .map(({ label = `New ${one}`, icon = usual, to }) => ({
          id: label,
          group: 'Create',
          label,
          icon,
          ...leadsTo({ ...to, params: { ...to.params, projectId } }),
        })),
    );
  });

  const guides = computed<Command[]>(() =>
    [...GUIDES, ...REFERENCES].map(({ id, title, about, also }) => ({
      id: `guide-${id}`,
      group: 'Guides',
      label: title,
      icon: BookOpen,
      hint: about,
      also: also.split(', '),
      ...leadsTo({ name: 'guide', params: { projectId: projects.current!.id, guideId: id } }),
    })),
  );

  const actions = computed<Command[]>(() => [
    importData.value,
    copyCommand('copy-host', 'Copy host', location.origin),
    copyCommand('copy-key', 'Copy project API key', projects.current?.api_token ?? ''),
    ...(session.isAdmin ? pauseCommands() : []),
    ...themeCommands(),
    {
      id: 'sidebar',
      group: 'Commands',
      label: preferences.isSidebarNarrow ? 'Expand sidebar' : 'Collapse sidebar',
      icon: PanelLeft,
      keys: '[',
      run: () => (preferences.isSidebarNarrow = !preferences.isSidebarNarrow),
    },
    {
      id: 'api-reference',
      group: 'Commands',
      label: 'Open API reference',
      icon: BookOpen,
      hint: '/docs',
      run: () => void window.open('/docs', '_blank', 'noopener'),
    },
    {
      id: 'keys',
      group: 'Commands',
      label: 'Keyboard shortcuts',
      icon: Keyboard,
      keys: '?',
      run: dialogs.showKeys,
    },
    {
      id: 'sign-out',
      group: 'Commands',
      label: 'Sign out',
      icon: LogOut,
      hint: session.session?.user.email,
      run: () => void signOut(),
    },
  ]);

  function copyCommand(id: string, label: string, text: string): Command {
    return {
      id,
      group: 'Commands',
      label,
      icon: Copy,
      hint: text,
      run: () => void copyWithToast(text),
    };
  }

  function pauseCommands(): Command[] {
    const group = 'Commands';
    if (notices.isPaused)
      return [
        { id: 'resume', group, label: 'Resume capture', icon: Play, run: () => void notices.resumeCapture() },
      ];
    return PAUSES.map(({ minutes, label }) => ({
      id: `pause-${minutes}`,
      group,
      label: `Pause capture ${label}`,
      icon: Pause,
      hint: 'events are not stored',
      run: () => void notices.pauseCapture(minutes),
    }));
  }

  function themeCommands(): Command[] {
    return THEMES.filter(({ id }) => id !== preferences.theme).map(({ id, command, icon }) => ({
      id: `theme-${id}`,
      group: 'Commands',
      label: command,
      icon,
      run: () => (preferences.theme = id),
    }));
  }

  function leadsTo(to: RouteLocationRaw): Pick<Command, 'to' | 'run'> {
    return { to, run: () => void router.push(to) };
  }

  return computed(() =>
    [
      ...screens.value,
      ...deletions.value,
      ...otherProjects.value,
      ...creations.value,
      ...actions.value,
      ...settings.value,
      ...guides.value,
    ].map((command) => ({ ...command, also: command.also ?? synonymsOf(command.id) })),
  );
}
