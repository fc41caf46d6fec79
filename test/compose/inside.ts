/** Within the namespaces: the engine, the images, the rehearsal, and the end of all of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBaseImages, type Ingredients } from './base-images.ts';
import { NoEngine, startEngine } from './engine.ts';
import { startHostSandbox } from './host-sandbox.ts';
import { openOutlet } from './outlet.ts';
import { openProject, WORLD, type Project } from './project.ts';
import { rehearse } from './rehearsal.ts';
import { OUTLET_PORT, writeSettings } from './settings.ts';
import { createReport } from './report.ts';
import { SKIPPED } from './requirements.ts';

const { folder, ingredients, slice, built } = JSON.parse(process.argv[2]!) as {
  folder: string;
  ingredients: Ingredients;
  slice: boolean;
  built: boolean;
};

const report = createReport();
/** Ends what has been started, the last one first. */
const ends: (() => Promise<unknown>)[] = [];

try {
  await run();
} catch (error) {
  report.failed(error);
  process.exitCode = error instanceof NoEngine ? SKIPPED : 1;
} finally {
  for (const end of ends.toReversed()) await end().catch((error: unknown) => report.failed(error));
}

async function run(): Promise<void> {
  const engine = await report.step('engine', async () => {
    const started = await startEngine(folder);
    ends.push(started.stop);
    return [started, (await started.docker('version', '--format', '{{.Server.Version}}')).trim()];
  });
  const outlet = await openOutlet(join(folder, 'outlet'), OUTLET_PORT);
  ends.push(async () => outlet.close());
  await report.step('images under the tags of the file', async () => {
    const made = await makeBaseImages(ingredients, engine.docker, report.say);
    return [made, made.length === 0 ? 'all from the cache' : `made ${made.join(', ')}`];
  });
  const deployment = await writeSettings(folder);
  const sandbox = await startHostSandbox(deployment, join(folder, 'sandbox.log'));
  ends.push(sandbox.stop);
  const project = openProject(engine, ingredients.go.compose, deployment);
  // What an interrupted run left in the cached engine.
  const remove = ['down', '--volumes', '--remove-orphans', '--timeout', '5'];
  const removeAll = async () => {
    await project.compose(['--profile', '*', ...remove]);
    await project.compose(['--project-name', WORLD, '--profile', '*', ...remove]);
  };
  await removeAll();
  ends.push(removeAll);
  try {
    await rehearse({ project, deployment, report, slice, built, folder });
  } catch (error) {
    await tellLogs(project);
    throw error;
  }
}

/** The last words of everybody, for whoever has to find out what went wrong. */
async function tellLogs(project: Project): Promise<void> {
  const logs = ['logs', '--no-color', '--tail', '25'];
  report.say(await project.compose(logs).catch((error: Error) => error.message));
  const sandbox = await readFile(join(folder, 'sandbox.log'), 'utf8').catch(() => '');
  report.say(sandbox.split('\n').slice(-10).join('\n'));
}
