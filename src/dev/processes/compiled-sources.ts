/**
 * The sources as JavaScript, kept in node_modules. A process that starts from TypeScript takes 5 s of CPU
 * before its first line, from JavaScript 2 s; a world has five of them, and tests start hundreds.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version } from 'esbuild';
import { GUIDES, guideFile } from '../../http/guides/guides.ts';

/** The checkout that this file is part of. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Another compiler makes all anew. */
const folderOf = (checkout: string) =>
  join(checkout, `node_modules/.cache/outreach/compiled-${version}`);

const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'migrations', 'clients/typescript/src'];
/** Files outside of these folders that modules read at run time, by paths relative to themselves. */
const FILES_BESIDE = Object.keys(GUIDES).map(guideFile);

/** Where a source file is after `compileSources`. `file` is relative to the checkout. */
export const compiledFile = (file: string, checkout = root): string =>
  join(folderOf(checkout), outputOf(file));

/** The arguments of `node` that run a compiled file; errors tell lines of its source. */
export const compiledProgram = (file: string): string[] => [
  '--enable-source-maps',
  compiledFile(file),
];

let compiling: Promise<void> | undefined;

/**
 * Compiles what has changed since the last time: 2 to 3 s for everything, a moment for nothing. A file is
 * whole under its name, so that several processes may do this at once.
 */
export async function compileSources(): Promise<void> {
  await (compiling ??= compileCheckout(root).finally(() => (compiling = undefined)));
}

/** The same for the sources of another folder, laid out as this one. */
export async function compileCheckout(checkout: string): Promise<void> {
  const folder = folderOf(checkout);
  const files = (await Promise.all(SOURCE_FOLDERS.map((name) => sourcesUnder(checkout, name))))
    .flat()
    .concat(FILES_BESIDE);
  const changed = (await Promise.all(files.map((file) => changeOf(file, checkout)))).filter(
    (one) => one !== undefined,
  );
  const modules = changed.filter(({ file }) => isModule(file));
  await Promise.all([
    compileModules(modules, checkout),
    ...changed
      .filter(({ file }) => !isModule(file))
      .map(async ({ file, at }) =>
        keep(compiledFile(file, checkout), { contents: await readFile(join(checkout, file)), at }),
      ),
  ]);
  await removeOthers(folder, new Set(files.map(outputOf)));
  const scope = join(folder, 'package.json');
  if (!existsSync(scope)) await keep(scope, { contents: '{ "type": "module" }', at: new Date() });
}

interface Change {
  file: string;
  /** When the source was changed; its output is marked with the same time. */
  at: Date;
}

async function changeOf(file: string, checkout: string): Promise<Change | undefined> {
  const [source, output] = await Promise.all([
    stat(join(checkout, file)),
    stat(compiledFile(file, checkout)).catch(() => undefined),
  ]);
  // What can be set is less fine than what a file system keeps.
  const isSame = output !== undefined && Math.abs(output.mtimeMs - source.mtimeMs) < 1;
  return isSame ? undefined : { file, at: source.mtime };
}

async function compileModules(changes: readonly Change[], checkout: string): Promise<void> {
  if (changes.length === 0) return;
  const { outputFiles } = await build({
    entryPoints: changes.map(({ file }) => join(checkout, file)),
    outbase: checkout,
    outdir: folderOf(checkout),
    write: false,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
    plugins: [
      {
        // Each module stays a file of its own: paths relative to `import.meta.url` hold.
        name: 'modules-stay-apart',
        setup: (bundler) =>
          bundler.onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
            kind === 'entry-point' ? undefined : { path: outputOf(path), external: true },
          ),
      },
    ],
  });
  const byOutput = new Map(changes.map((change) => [compiledFile(change.file, checkout), change]));
  await Promise.all(
    outputFiles.map(({ path, contents }) =>
      keep(path, { contents, at: byOutput.get(path.replace(/\.map$/, ''))!.at }),
    ),
  );
}

async function keep(path: string, { contents, at }: { contents: Uint8Array | string; at: Date }) {
  const part = `${path}.${randomUUID()}.part`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(part, contents);
  await utimes(part, at, at);
  await rename(part, path);
}

/** What is left of sources that are gone. */
async function removeOthers(folder: string, outputs: ReadonlySet<string>): Promise<void> {
  for (const name of SOURCE_FOLDERS) {
    if (!existsSync(join(folder, name))) continue;
    for (const file of await filesUnder(folder, name)) {
      const isBeingWritten = file.endsWith('.part');
      const isKept = outputs.has(file.replace(/\.map$/, '')) || isBeingWritten;
      if (!isKept) await rm(join(folder, file), { force: true });
    }
  }
}

const sourcesUnder = async (checkout: string, name: string): Promise<string[]> =>
  (await filesUnder(checkout, name)).filter((file) => !/\.d\.m?ts$/.test(file));

async function filesUnder(base: string, name: string): Promise<string[]> {
  const entries = await readdir(join(base, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) =>
      join(parentPath, file).slice(base.length).replace(/^\//, ''),
    );
}

const isModule = (file: string): boolean => file.endsWith('.ts');
const outputOf = (file: string): string => file.replace(/\.ts$/, '.js');
