/** Rented servers that really run: Debian 12 in containers, in place of the simulated hosts. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCore } from '../core.ts';
import { createHosts, type Hosts } from '../servers/hosts.ts';
import { domainOf } from '../servers/host-context.ts';
import { openListener, type Listener } from '../servers/listener.ts';
import type { MachineOrder } from '../servers/machine.ts';
import { acmeZone, authorityPem, trustPebble, writePebbleConfig } from './acme.ts';
import { SERVER_PORTS } from './addresses.ts';
import { join as joinStreams } from './channel.ts';
import { startLab, type Lab } from './lab.ts';
import { writeSeed } from './seed.ts';

const REAL_SERVERS = 'real-servers';

/** What a server needs to boot again; one document of the collection. */
interface RealServer extends MachineOrder {
  /** The tree below its disk; another image would not fit what it has written. */
  imageDir: string;
}

/**
 * `imageDir` is a tree made by `src/dev/vps-image.ts`. Messages to and from the world's exchangers take
 * the simulated hosts' queue; everything else of a host is real.
 */
export function createRealHosts(core: SandboxCore, imageDir: string): Hosts {
  const outside = createHosts(core);
  const folder = join(core.options.stateDir, 'vps');
  const listeners = new Map<string, Listener[]>();
  core.zone.addSource(acmeZone());
  let lab: Promise<Lab> | undefined;
  const theLab = (): Promise<Lab> => {
    if (lab === undefined) throw new Error('the sandbox has not started');
    return lab;
  };

  const switchOn = async (server: RealServer): Promise<void> => {
    const { id, ipv4 } = server;
    const serverDir = join(folder, id);
    if (!existsSync(server.imageDir)) throw new Error(`the image ${server.imageDir} is gone`);
    mkdirSync(serverDir, { recursive: true, mode: 0o755 });
    writeSeed(join(serverDir, 'upper'), { ...server, authorityPem: authorityPem(core) });
    await (await theLab()).boot({ id, ipv4, imageDir: server.imageDir, serverDir });
    if (core.store.get(REAL_SERVERS, id) === undefined) return forget(id);
    if (listeners.has(id)) return;
    listeners.set(id, []);
    for (const port of SERVER_PORTS) {
      const listener = await openListener((socket) => {
        theLab()
          .then((at) => at.dial(ipv4, port))
          .then(
            (other) => joinStreams(socket, other),
            () => socket.resetAndDestroy(),
          );
      });
      listeners.get(id)?.push(listener);
      core.hosts.register(ipv4, port, listener.port);
    }
  };
  /** Also for a server that was deleted while it booted. */
  const forget = async (id: string): Promise<void> => {
    await (await theLab()).stop(id, 'power-off');
    rmSync(join(folder, id), { recursive: true, force: true });
  };
  const closeListeners = async (id: string): Promise<void> => {
    const open = listeners.get(id) ?? [];
    listeners.delete(id);
    await Promise.all(open.map((listener) => listener.close()));
  };

  return {
    queue: outside.queue,
    logins: outside.logins,
    rent(order) {
      const server: RealServer = { ...order, imageDir };
      core.store.put(REAL_SERVERS, order.id, server);
      void bootLater(core, server, switchOn);
    },
    async destroy(id) {
      const server = core.store.get<RealServer>(REAL_SERVERS, id);
      if (server === undefined) return;
      core.hosts.unregister(server.ipv4);
      core.store.delete(REAL_SERVERS, id);
      await closeListeners(id);
      await forget(id);
    },
    async reinstall(order) {
      const { id } = order;
      await closeListeners(id);
      core.hosts.unregister(order.ipv4);
      await forget(id);
      const server: RealServer = { ...order, imageDir };
      core.store.put(REAL_SERVERS, id, server);
      void bootLater(core, server, switchOn);
    },
    async restart(id, how) {
      const server = core.store.get<RealServer>(REAL_SERVERS, id);
      if (server === undefined) return;
      await (await theLab()).stop(id, how);
      await switchOn(server);
    },
    deliver(to, raw) {
      if (core.zone.lookup(domainOf(to), 'MX').records.length === 0) return false;
      outside.queue.add({ origin: 'outside', helo: 'outside.test', from: '', to: [to], raw });
      return true;
    },
    async start() {
      const pebbleConfig = await writePebbleConfig(core, folder);
      lab = startLab({ core, folder, pebbleConfig });
      await trustPebble(core, await lab);
      const servers = core.store.list<RealServer>(REAL_SERVERS);
      forgetOrphans(folder, servers);
      await Promise.all(servers.map(switchOn));
      outside.queue.start();
    },
    async close() {
      await Promise.all([...listeners.keys()].map(closeListeners));
      await (await lab)?.close();
    },
  };
}

/** A server that does not come up reports it on its vendor's console: the sandbox's own log. */
async function bootLater(
  core: SandboxCore,
  server: RealServer,
  switchOn: (server: RealServer) => Promise<void>,
): Promise<void> {
  await sleep(Math.max(0, server.runningAtMs - Date.now()));
  if (core.closing.aborted || core.store.get(REAL_SERVERS, server.id) === undefined) return;
  await switchOn(server).catch((error: unknown) => {
    process.stderr.write(`server ${server.id} does not boot: ${String(error)}\n`);
  });
}

/** Disks of servers that were deleted while the sandbox was being killed. */
function forgetOrphans(folder: string, servers: RealServer[]): void {
  const known = new Set(servers.map((server) => server.id));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const isOrphan = entry.isDirectory() && !known.has(entry.name);
    if (isOrphan) rmSync(join(folder, entry.name), { recursive: true, force: true });
  }
}
