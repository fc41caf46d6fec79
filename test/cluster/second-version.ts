/**
 * The next version of the workers: these sources in a separate folder, with one step more; behind `patched`, or
 * without, as a build may have it that only runs what it has begun.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../src/dev/processes/processes.ts';

export const PATCH = 'cluster-rehearsal';

const SOURCES = ['src', 'workflows', 'activities', 'migrations', 'clients', 'package.json'];
const SETTINGS = ['package-lock.json', 'tsconfig.json'];

/** Late in a provisioning, so that runs which the earlier version began meet it, too. */
const CHANGED_FILE = 'workflows/clusters/provision-cluster.ts';
const changes = (isPatched: boolean) =>
  [
    [
      "import { proxyActivities } from '@temporalio/workflow';",
      "import { patched, proxyActivities, sleep } from '@temporalio/workflow';",
    ],
    [
      'await long.installMailHost.executeWithOptions(',
      `${isPatched ? `if (patched('${PATCH}')) ` : ''}await sleep('100 milliseconds');\n        $&`,
    ],
  ] as const;

export interface SecondVersion {
  folder: string;
  remove(): Promise<void>;
}

/** Makes the copy; throws when the sources do not match the change. */
export async function makeSecondVersion({
  isPatched,
}: {
  isPatched: boolean;
}): Promise<SecondVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'outreach-next-version-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const name of [...SOURCES, ...SETTINGS]) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
    await linkPackages(folder);
    await change(join(folder, CHANGED_FILE), isPatched);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}

/** Links each package by itself: the bundle stored beside them belongs to one version. */
async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(packages, name));
  }
}

async function change(file: string, isPatched: boolean): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [before, after] of changes(isPatched)) {
    if (text.split(before).length !== 2) throw new Error(`${file} has not once: ${before}`);
    text = text.replace(before, after);
  }
  await writeFile(file, text);
}
