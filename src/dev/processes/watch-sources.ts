/** Reports which source files change. */
import { readdirSync, watch, type Dirent, type FSWatcher } from 'node:fs';
import { join, relative } from 'node:path';

/** Editors and git write several files, or one several times; they are reported together. */
const QUIET_MS = 150;

/** What counts as a source; editors leave other files beside them. */
const SOURCE = /^[^.].*\.(?:m?ts|mjs|json)$/;

export interface SourceWatch {
  close(): void;
}

/**
 * Calls `changed` with paths relative to `root` when files of `folders` are written, created or
 * removed. Each folder is watched by itself: Node's recursive watch misses files that are replaced.
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  changed: (paths: string[]) => void,
): SourceWatch {
  const watchers = new Map<string, FSWatcher>();
  const found = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    const paths = [...found];
    found.clear();
    changed(paths);
  };
  const noticed = (event: string, folder: string, name: string) => {
    // A folder that was created or moved, with what is in it by now.
    if (!name.includes('.')) follow(join(folder, name), event === 'rename');
    note(folder, name);
  };
  const note = (folder: string, name: string) => {
    if (!SOURCE.test(name)) return;
    found.add(relative(root, join(folder, name)).replaceAll('\\', '/'));
    clearTimeout(timer);
    timer = setTimeout(tell, QUIET_MS);
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const follow = (folder: string, isNew = false) => {
    forget(folder);
    if (entriesOf(folder) === undefined) return;
    const watcher = watch(folder, (event, name) => name !== null && noticed(event, folder, name));
    // A folder that was removed.
    watcher.on('error', () => forget(folder));
    watchers.set(folder, watcher);
    // Read now that it is watched: what comes later is told.
    for (const entry of entriesOf(folder) ?? []) {
      if (entry.isDirectory()) follow(join(folder, entry.name), isNew);
      else if (isNew) note(folder, entry.name);
    }
  };
  for (const folder of folders) follow(join(root, folder));

  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** Undefined when `folder` is not a folder, or is gone. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
