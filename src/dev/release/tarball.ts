/** The npm package of the command line. */
import { execFile } from 'node:child_process';
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
  // Nothing is built again, and no script of the package runs.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
  const [packed] = JSON.parse(stdout) as [
    { filename: string; integrity: string; files: { path: string }[] },
  ];
  if (!packed.files.some(({ path }) => path === 'dist/src/cli/outreach.js')) {
    throw new Error('The package has no command line: npm run build comes first');
  }
  return {
    file: join(folder, packed.filename),
    integrity: packed.integrity,
    files: packed.files.length,
  };
}
