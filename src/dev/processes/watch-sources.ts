/** Reports which source files change. */
import { readdirSync, watch, type FSWatcher } from 'node:fs';
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
  const noticed = (folder: string, name: string) => {
    // A folder that was created or moved.
    if (!name.includes('.')) follow(join(folder, name));
    if (!SOURCE.test(name)) return;
    found.add(relative(root, join(folder, name)).replaceAll('\\', '/'));
    clearTimeout(timer);
    timer = setTimeout(tell, QUIET_MS);
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const follow = (folder: string) => {
    const entries = foldersIn(folder);
    forget(folder);
    if (entries === undefined) return;
    const watcher = watch(folder, (_event, name) => name !== null && noticed(folder, name));
    // A folder that was removed.
    watcher.on('error', () => forget(folder));
    watchers.set(folder, watcher);
    for (const entry of entries) follow(join(folder, entry));
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
function foldersIn(folder: string): string[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return undefined;
  }
}
