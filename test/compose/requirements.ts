/** What it takes to run docker-compose.yml here: root on Linux, namespaces, an engine, Go or its cache. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import {
  hasCommand,
  installPackages,
  missingPackages,
  succeeds,
} from '../../src/dev/system-packages.ts';
import { goToolsAreBuilt } from './go-tools.ts';

const TOOLS = {
  dockerd: 'docker.io',
  docker: 'docker.io',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  ip: 'iproute2',
  unshare: 'util-linux',
  flock: 'util-linux',
};

/** Called by every package that would start its service: 101 = not allowed. Debian Policy, 9.3.3. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';

/** What an engine does in namespaces of its own: a bridge, its translation of addresses, an overlay. */
const REHEARSAL = `
set -e
mount -t tmpfs tmpfs /mnt
cd /mnt
mkdir lower upper work root
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root
if command -v ip >/dev/null; then ip link add rehearsal type bridge; fi
if command -v iptables >/dev/null; then iptables -t nat -L -n >/dev/null; fi
for at in /sys/fs/cgroup/memory /sys/fs/cgroup; do
  [ -e "$at/cgroup.procs" ] || continue
  rmdir "$(mktemp -d "$at/outreach-rehearsal-XXXXXX")"
done
`;

/** Why compose cannot run here; undefined when it can, once the tools are installed. */
export function whyNoCompose(): string | undefined {
  if (process.platform !== 'linux') return 'containers need Linux';
  if (userInfo().uid !== 0) return 'only root may start an engine';
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', 'sh', '-c', REHEARSAL];
  if (hasCommand('unshare') && !succeeds('unshare', namespaces)) {
    return 'this root may not make namespaces, or mount and link in them (an unprivileged container?)';
  }
  const missing = missingPackages(TOOLS);
  if (missing.length > 0 && !hasCommand('apt-get')) {
    return `these are missing, and there is no apt-get to install them: ${missing.join(', ')}`;
  }
  if (!goToolsAreBuilt() && !hasCommand('go')) {
    return 'Compose and Temporal are built by Go, which is not installed (https://go.dev/dl)';
  }
  return undefined;
}

/** Installs missing tools without starting their services; throws where that fails. */
export function installComposeTools(report: (line: string) => void): void {
  const missing = missingPackages(TOOLS);
  if (missing.length === 0) return;
  report(`Installing by apt-get, not started: ${missing.join(', ')}`);
  const isOurs = !existsSync(POLICY_FILE);
  if (isOurs) writeFileSync(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    if (installPackages(missing) && missingPackages(TOOLS).length === 0) return;
  } finally {
    if (isOurs) rmSync(POLICY_FILE);
  }
  throw new Error(`apt-get could not install ${missing.join(', ')}`);
}
