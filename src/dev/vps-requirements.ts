/** What `--vps real` needs of the machine: root on Linux, and some of Debian's tools. */
import { userInfo } from 'node:os';
import { hasCommand, installPackages, missingPackages, succeeds } from './system-packages.ts';

const TOOLS = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  pebble: 'pebble',
  ip: 'iproute2',
  unshare: 'util-linux',
  flock: 'util-linux',
};

/** Creates and removes what each server needs: an overlay mount, a link, control groups. */
const REHEARSAL = `
set -e
mount -t tmpfs tmpfs /mnt
cd /mnt
mkdir lower upper work root
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root
if command -v ip >/dev/null; then ip link add rehearsal type veth; fi
for at in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e "$at/cgroup.procs" ] || continue
  rmdir "$(mktemp -d "$at/outreach-rehearsal-XXXXXX")"
done
`;

/**
 * Why real servers are impossible here; undefined when they are possible once the tools are installed.
 */
export function whyNoRealServers(): string | undefined {
  if (process.platform !== 'linux') return 'servers are booted by systemd-nspawn, on Linux only';
  if (userInfo().uid !== 0) return 'only root may boot servers (systemd-nspawn, namespaces)';
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', 'sh', '-c', REHEARSAL];
  if (hasCommand('unshare') && !succeeds('unshare', namespaces)) {
    return 'this root may not make namespaces, or mount and link in them (an unprivileged container?)';
  }
  const missing = missingPackages(TOOLS);
  if (missing.length === 0 || hasCommand('apt-get')) return undefined;
  return `these are missing, and there is no apt-get to install them: ${missing.join(', ')}`;
}

/** Installs missing tools, and reports it. Throws with the reason where that is impossible. */
export async function installTools(report: (line: string) => void): Promise<void> {
  const reason = whyNoRealServers();
  if (reason !== undefined) throw new Error(`Real servers (--vps real) are impossible: ${reason}`);
  const missing = missingPackages(TOOLS);
  if (missing.length === 0) return;
  report(`Installing what real servers need by apt-get: ${missing.join(', ')}`);
  if (installPackages(missing) && missingPackages(TOOLS).length === 0) return;
  throw new Error(`Real servers (--vps real) need these packages: ${missing.join(', ')}`);
}
