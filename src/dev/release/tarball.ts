/** The npm packages of a release: the command line, and the client of the API. */
import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;

export interface Tarball {
  file: string;
  /** As a registry names it: `sha512-...`. */
  integrity: string;
  files: number;
}

/** Packs what was built, below `folder`. */
export async function packTarball(root: string, folder: string): Promise<Tarball> {
  return pack(root, folder, 'dist/src/cli/outreach.js');
}

/** Compiles the client of the API anew and packs it; what it is made of stays in `folder`, too. */
export async function packClient(root: string, folder: string): Promise<Tarball> {
  const [source, staged] = [join(root, 'clients/typescript'), join(folder, 'client')];
  await mkdir(staged, { recursive: true });
  for (const name of ['package.json', 'README.md'])
    await cp(join(source, name), join(staged, name));
  await cp(join(root, 'LICENSE'), join(staged, 'LICENSE'));
  const compiler = join(root, 'node_modules/.bin/tsc');
  await run(compiler, ['-p', source, '--outDir', join(staged, 'dist')]);
  return pack(staged, folder, 'dist/index.js');
}

async function pack(source: string, folder: string, entry: string): Promise<Tarball> {
  // Nothing is built again, and no script of the package runs.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: source, maxBuffer: MAX_OUTPUT_BYTES });
  const [packed] = JSON.parse(stdout) as [
    { filename: string; integrity: string; files: { path: string }[] },
  ];
  if (!packed.files.some(({ path }) => path === entry)) {
    throw new Error(`The package has no ${entry}: npm run build comes first`);
  }
  return {
    file: join(folder, packed.filename),
    integrity: packed.integrity,
    files: packed.files.length,
  };
}
