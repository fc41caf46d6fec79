/** Servers inside the namespaces: an overlay over the image, booted by systemd-nspawn. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTree } from './channel.ts';
import { ROUTER } from './addresses.ts';

export interface Containers {
  /** Harmless for a server that is up. */
  boot(server: ServerTree): Promise<void>;
  /** Resolves when its processes are gone and its disk is unmounted. */
  stop(id: string, how: 'shut-down' | 'power-off'): Promise<void>;
}

/** A server whose services do not finish in this time is powered off. */
const SHUT_DOWN_MS = 30_000;
const LINK_LOOK_MS = 200;

interface Running {
  server: ServerTree;
  machine: string;
  process: ChildProcess;
  ended: Promise<void>;
}

/** `groupPrefix` begins the names of the control groups, by which the sandbox finds them again. */
export function createContainers(groupPrefix: string): Containers {
  const running = new Map<string, Running>();
  let booted = 0;
  return {
    async boot(server) {
      if (running.has(server.id)) return;
      booted += 1;
      const machine = `s${booted}`;
      const root = mount(server);
      const log = openSync(join(server.serverDir, 'console.log'), 'a');
      const child = spawn('sh', ['-c', START, 'start', groupPrefix + machine, machine, root], {
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      const looking = setInterval(() => connectLink(machine, server.ipv4), LINK_LOOK_MS);
      const ended = new Promise<void>((resolve) => {
        child.once('exit', () => {
          clearInterval(looking);
          running.delete(server.id);
          unmount(root);
          resolve();
        });
      });
      running.set(server.id, { server, machine, process: child, ended });
    },
    async stop(id, how) {
      const found = running.get(id);
      if (found === undefined) return;
      // systemd-nspawn passes SIGTERM on as an orderly shutdown.
      if (how === 'shut-down') found.process.kill('SIGTERM');
      else powerOff(found.process.pid!);
      const limit = setTimeout(() => powerOff(found.process.pid!), SHUT_DOWN_MS);
      await found.ended;
      clearTimeout(limit);
    },
  };
}

/**
 * Each server is started in its own control groups: systemd inside uses the ones it finds as its own
 * and would end the services of a neighbour. A power cut inside loses nothing of the host's page cache,
 * so nothing waits for a disk (systemd 250 or later can be told so).
 */
const START = `
for at in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e "$at/cgroup.procs" ] || continue
  mkdir -p "$at/$1" && echo 0 >"$at/$1/cgroup.procs"
done
sync=
systemd-nspawn --help | grep -q suppress-sync && sync=--suppress-sync=yes
exec systemd-nspawn $sync --quiet --register=no --keep-unit --boot --network-veth --resolv-conf=off \
  --machine="$2" --directory="$3"
`;

/** When its first process ends, everything of a server ends, and then systemd-nspawn. */
function powerOff(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child), 'SIGKILL');
}

function mount({ imageDir, serverDir }: ServerTree): string {
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(serverDir, name));
  for (const folder of [upper!, work!, root!]) mkdirSync(folder, { recursive: true });
  const layers = `lowerdir=${imageDir},upperdir=${upper},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root!]);
  return root!;
}

/** A disk that a dying process still holds is released as soon as that has died. */
function unmount(root: string): void {
  const umount = (...options: string[]) =>
    execFileSync('umount', [...options, root], { stdio: 'ignore' });
  try {
    umount();
  } catch {
    umount('--lazy');
  }
}

/** A server that reboots by itself comes back with a new link, so this is checked regularly. */
function connectLink(machine: string, ipv4: string): void {
  const link = `ve-${machine}`;
  const isThere = readFileSync('/proc/net/dev', 'utf8').includes(`${link}:`);
  if (!isThere || readFileSync('/proc/net/route', 'utf8').includes(`${link}\t`)) return;
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'ignore' });
  try {
    ip('link', 'set', link, 'up');
    writeFileSync(`/proc/sys/net/ipv4/conf/${link}/proxy_arp`, '1');
    ip('route', 'replace', `${ipv4}/32`, 'dev', link, 'src', ROUTER);
  } catch {
    // It is gone again; the next check will tell.
  }
}
