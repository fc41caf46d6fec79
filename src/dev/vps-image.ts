/**
 * The image of `--vps real`: Debian 12 as a cloud vendor offers it, made by debootstrap and kept in
 * the cache. The mail host's packages are not installed in it, only downloaded: first boot installs
 * them from the user-data as in production, without a network. How it differs: docs/vps-lab.md.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { mailHostUserData } from '../providers/mail-hosts/user-data.ts';
import { cacheFolder } from './environment.ts';
import { installTools } from './vps-requirements.ts';

type Report = (line: string) => void;

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;
const REPORT_EVERY_MS = 10_000;

const SUITE = 'bookworm';
/** Packages of a vendor's image; the mail host's packages are named only by the user-data. */
const BASE = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'openssh-server',
  'iproute2',
  'ca-certificates',
  // Active, as in Vultr's images (`settle`).
  'ufw',
];
const CLOUD_CONFIG = {
  datasource_list: ['NoCloud'],
  locale: 'C.UTF-8',
  // The lists that were fetched with the packages belong to these sources.
  apt: { preserve_sources_list: true },
};
/** The file that `ufw allow 22/tcp` writes: `tuple` lines are what ufw itself reads. */
const FIREWALL_RULES = `*filter
:ufw-user-input - [0:0]
:ufw-user-output - [0:0]
:ufw-user-forward - [0:0]
:ufw-before-logging-input - [0:0]
:ufw-before-logging-output - [0:0]
:ufw-before-logging-forward - [0:0]
:ufw-user-logging-input - [0:0]
:ufw-user-logging-output - [0:0]
:ufw-user-logging-forward - [0:0]
:ufw-after-logging-input - [0:0]
:ufw-after-logging-output - [0:0]
:ufw-after-logging-forward - [0:0]
:ufw-logging-deny - [0:0]
:ufw-logging-allow - [0:0]
:ufw-user-limit - [0:0]
:ufw-user-limit-accept - [0:0]
### RULES ###

### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in
-A ufw-user-input -p tcp --dport 22 -j ACCEPT

### END RULES ###
COMMIT
`;
/** Incremented when the steps below change; with the rest of the recipe it is the cache key. */
const VERSION = 2;

/** Where this checkout's image is, or will be. */
export function vpsImageFolder(): string {
  const recipe = JSON.stringify([VERSION, SUITE, BASE, CLOUD_CONFIG, orderedPackages()]);
  const key = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
  return join(cacheFolder(), `vps-image-${key}`);
}

/**
 * Makes the image unless it exists, and installs the tools for it; answers a line about what was done.
 * Throws with the reason where real servers are impossible.
 */
export async function prepareVpsImage(report: Report): Promise<string> {
  await installTools(report);
  const folder = vpsImageFolder();
  if (existsSync(folder)) return `Image of real servers: ${folder}`;
  await mkdir(join(folder, '..'), { recursive: true });
  const started = Date.now();
  const building = await mkdtemp(`${folder}.`);
  try {
    await build(building, report);
    // The first builder wins: a second one's tree is as good and is removed.
    await rename(building, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  return `Image of real servers made in ${seconds} s: ${folder}`;
}

async function build(root: string, report: Report): Promise<void> {
  const mirrors = await aptSources();
  const primary = mirrors.find((each) => each.release === SUITE)?.uri;
  const where = primary === undefined ? [root] : [root, primary];
  const bootstrap = ['--variant=minbase', `--include=${BASE.join(',')}`, SUITE, ...where];
  await slowly('Debian 12 by debootstrap (about a minute)', report, () =>
    run('debootstrap', bootstrap, { maxBuffer: MAX_OUTPUT_BYTES }),
  );
  const security = mirrors.find((each) => each.release === `${SUITE}-security`)?.uri;
  if (security !== undefined) {
    await appendFile(
      join(root, 'etc/apt/sources.list'),
      `deb ${security} ${SUITE}-security main\n`,
    );
  }
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  await run('cp', ['--dereference', '/etc/resolv.conf', join(root, 'etc/resolv.conf')]);
  const apt = (...args: string[]) => inside(root, 'apt-get', '--yes', '--quiet', ...args);
  await slowly('cloud-init', report, async () => {
    await apt('update');
    await apt('dist-upgrade');
    await apt('install', '--no-install-recommends', 'cloud-init');
  });
  await slowly('downloading the packages of a mail host', report, () =>
    apt('install', '--download-only', ...orderedPackages()),
  );
  await settle(root);
}

/** The last changes: removes everything specific to one machine, and configures it like a vendor's. */
async function settle(root: string): Promise<void> {
  await inside(root, 'systemctl', 'enable', 'systemd-networkd');
  await run('sh', [
    '-c',
    'rm -f "$1"/etc/ssh/ssh_host_* "$1"/usr/sbin/policy-rc.d',
    'settle',
    root,
  ]);
  // Of all that comes in it admits SSH alone; a chroot has no kernel tables, so ufw is not called.
  await writeFile(join(root, 'etc/ufw/user.rules'), FIREWALL_RULES, { mode: 0o640 });
  await run('sed', ['-i', 's/^ENABLED=.*/ENABLED=yes/', join(root, 'etc/ufw/ufw.conf')]);
  await inside(root, 'systemctl', 'enable', 'ufw');
  await writeFile(join(root, 'etc/machine-id'), '');
  await writeFile(join(root, 'etc/default/locale'), 'LANG=C.UTF-8\n');
  await writeFile(join(root, 'etc/cloud/cloud.cfg.d/99_vendor.cfg'), stringify(CLOUD_CONFIG));
}

function inside(root: string, ...command: string[]): Promise<unknown> {
  // The folder that TMPDIR may name here is not in there.
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C.UTF-8', 'TMPDIR=/tmp'];
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return run('chroot', [root, 'env', ...settings, path, ...command], {
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

/** The packages that the user-data installs, so that the two cannot diverge. */
function orderedPackages(): string[] {
  const hostKey = { privateKey: '', publicKey: '' };
  const text = mailHostUserData({ hostName: 'image.test', hostKey, acmeDirectoryUrl: '' });
  return (parse(text) as { packages: string[] }).packages;
}

/** Where this machine's own apt gets Debian 12; empty on another distribution. */
async function aptSources(): Promise<{ uri: string; release: string }[]> {
  const format = '$(REPO_URI) $(CODENAME) $(COMPONENT)';
  const args = ['indextargets', '--format', format, 'Created-By: Packages'];
  const { stdout } = await run('apt-get', args).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , component]) => component === 'main')
    .map(([uri = '', release = '']) => ({ uri, release }));
}

async function slowly(what: string, report: Report, work: () => Promise<unknown>): Promise<void> {
  const started = Date.now();
  report(`image: ${what}`);
  const tell = () => report(`image: ${what}, ${Math.round((Date.now() - started) / 1000)} s`);
  const timer = setInterval(tell, REPORT_EVERY_MS);
  try {
    await work();
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const words = stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`The image of real servers cannot be made (${what}): ${words}`, {
      cause: error,
    });
  } finally {
    clearInterval(timer);
  }
}
