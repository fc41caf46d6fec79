/** The workflows as one file of JavaScript, which a worker loads in a fraction of the time it takes to make it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/** Of a build, or of the checkout; compiled sources are kept in one, and share its bundle. */
const root = new URL(
  new URL('../../', import.meta.url).href.replace(
    /node_modules\/\.cache\/outreach\/compiled-[^/]+\/$/,
    '',
  ),
);
const pathOf = (path: string) => fileURLToPath(new URL(path, root));

/** Made by `npm run build`. */
const builtPath = pathOf('workflow-bundle.js');
const cacheFolder = pathOf('node_modules/.cache/outreach');

/** All that can get into the bundle: workflows import nothing else (test/architecture). */
const SOURCES = [
  'workflows',
  'src/domain',
  'src/temporal/failure-converter.cjs',
  'package-lock.json',
];

/** What `npm run build` made, or else, in development, a bundle of the sources as they are now. */
export async function workflowBundle(isProduction: boolean): Promise<WorkflowBundleOption> {
  if (existsSync(builtPath)) return { codePath: builtPath };
  if (isProduction) throw new Error(`${builtPath} is missing: run npm run build first`);
  return { code: await developmentBundle() };
}

/** Kept in node_modules for as long as no source changes: bundling takes seconds of CPU. */
export async function developmentBundle(): Promise<string> {
  const path = join(cacheFolder, `workflows-${await sourcesHash()}.js`);
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const { code } = await bundleWorkflowCode({
    workflowsPath: pathOf('workflows'),
    workflowInterceptorModules: ['built-on', 'trace'].map((name) =>
      pathOf(`workflows/engine/${name}.ts`),
    ),
    failureConverterPath: pathOf('src/temporal/failure-converter.cjs'),
    logger: new DefaultLogger('ERROR'),
  });
  // A folder that cannot be written to costs time and nothing else.
  await keep(path, code).catch(() => undefined);
  return code;
}

/** Whole under its name or not at all: processes start at once. */
async function keep(path: string, code: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  for (const old of await readdir(cacheFolder)) {
    if (old.startsWith('workflows-')) await rm(join(cacheFolder, old), { force: true });
  }
  const part = `${path}.${process.pid}`;
  await writeFile(part, code);
  await rename(part, path);
}

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of await filesUnder(pathOf(source))) {
      hash.update(`${file}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesUnder(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.ts'))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => join(path, name));
}
