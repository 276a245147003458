import { useEventListener } from '@vueuse/core';
import type { Router } from 'vue-router';
import { toast } from 'vue-sonner';
import { openBackupOnDesktop, watchOpenedOnDesktop } from '../api/desktop.api.ts';
import { openedFlagFile, openedImportFile } from '../composables/opened-files.ts';
import { showFailure } from '../composables/show-failure.ts';
import { useProjectStore } from '../stores/project.store.ts';
import { useSessionStore } from '../stores/session.store.ts';

/** Names of files whose rows may be events. */
const EVENTS = /\.(?:csv|tsv|txt|log|jsonl?|ndjson|parquet|zip)(?:\.(?:gz|br|\d+))?$|\.(?:gz|log\.\d+)$/i;

/**
 * Opens what is dropped anywhere on the window or opened from outside: a file of flags in the dialog that imports it, a
 * file of events on the screen that imports it, a backup with the question whether to restore it. A page never gives way to a file.
 */
export function useOpenedFiles(router: Router): void {
  const session = useSessionStore();
  const projects = useProjectStore();

  function openFlags(file: File): void {
    openedFlagFile.value = file;
    const project = projects.current;
    if (project) void router.push({ name: 'flags', params: { projectId: project.id } });
  }

  function openEvents(file: File): void {
    openedImportFile.value = file;
    const project = projects.current;
    if (project) void router.push({ name: 'imports', params: { projectId: project.id } });
  }

  async function open(file: File): Promise<void> {
    if (/\.json$/i.test(file.name) && (await isFlagFile(file))) return openFlags(file);
    if (EVENTS.test(file.name)) return openEvents(file);
    if (!/\.(burrow|duckdb)$/i.test(file.name)) {
      toast(`${file.name} cannot be opened here`, {
        description:
          'Drop a file of events (CSV, JSON, Parquet, a log), of feature flags (.json) or a backup (.burrow, .duckdb).',
      });
    } else if (!(await openBackupOnDesktop(file)))
      toast('A browser cannot restore a file', {
        description: 'Open it with the desktop app, or use the command in Settings, Storage.',
      });
  }

  watchOpenedOnDesktop({ go: (path) => void router.push(path), openFlags });
  useEventListener(window, 'dragover', (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
  });
  useEventListener(window, 'drop', (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { files } = event.dataTransfer!;
    const [file] = files;
    if (!file || !session.isSignedIn) return;
    if (files.length > 1)
      toast(`Only ${file.name} is opened`, { description: 'Burrow takes one file at a time.' });
    open(file).catch((error: unknown) => showFailure(error, `${file.name} could not be opened`));
  });
}

/** Characters of a file of JSON that say what it has. */
const HEAD = 4_096;

/** Whether a file of JSON has flags: an export of flags, or an answer of the API. All others may have events. */
async function isFlagFile(file: File): Promise<boolean> {
  const head = await file.slice(0, HEAD).text();
  return (
    /"(?:flags|rollout_percentage|ensure_experience_continuity|feature_flags)"/.test(head) ||
    !/"(?:event|events|event_type|timestamp|time|idVisit|\$distinct_id)"/.test(head)
  );
}

/** Text fields take a dragged text as ever. */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}
