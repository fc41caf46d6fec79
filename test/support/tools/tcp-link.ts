/** A TCP link that can be made slow, cut, refused or silent. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `slow`: each chunk is delayed. `reset`: open connections are cut again and again, new ones soon after
 * they open. `down`: open connections are cut, new ones refused. `silent`: nothing passes and neither
 * side is told; after `heal` traffic continues, as with TCP.
 */
export const LINK_FAULTS = ['slow', 'reset', 'down', 'silent'] as const;
export type LinkFault = (typeof LINK_FAULTS)[number];

export interface TcpLink {
  /** On 127.0.0.1: connections to it are forwarded to the target. */
  port: number;
  break(fault: LinkFault): void;
  heal(): void;
  close(): Promise<void>;
}

const SLOW_MS = 300;
const RESET_EVERY_MS = 250;

/** Listens on a free port and hands each connection on to `targetPort` of 127.0.0.1. */
export async function startTcpLink(targetPort: number): Promise<TcpLink> {
  const open = new Set<Socket>();
  let fault: LinkFault | undefined;
  let cutting: NodeJS.Timeout | undefined;
  let healed: { done: Promise<void>; resolve: () => void } | undefined;

  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  /** Resolves when the next chunk may pass. */
  const way = async () => {
    if (fault === 'slow') await sleep(SLOW_MS);
    if (fault === 'silent') await healed?.done;
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (fault === 'down') {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    couple([near, far], open, way);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));

  const heal = () => {
    fault = undefined;
    clearInterval(cutting);
    healed?.resolve();
    healed = undefined;
  };
  return {
    port: (server.address() as AddressInfo).port,
    break(next) {
      heal();
      fault = next;
      if (next === 'silent') healed = untilResolved();
      if (next === 'down' || next === 'reset') cut();
      if (next === 'reset') cutting = setInterval(cut, RESET_EVERY_MS);
    },
    heal,
    async close() {
      heal();
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function untilResolved() {
  let resolve = () => undefined as void;
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}

/** Pipes both directions; when one side ends, so does the other. */
function couple([near, far]: [Socket, Socket], open: Set<Socket>, way: () => Promise<void>): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(from.setNoDelay());
    from.on('error', () => undefined);
    from.once('close', (hadError) => {
      open.delete(from);
      if (hadError || from.destroyed) to.destroy();
    });
    let last = Promise.resolve();
    from.on('data', (part: Buffer) => {
      from.pause();
      last = last.then(async () => {
        await way();
        if (to.writable && !to.write(part)) await drained(to);
        from.resume();
      });
    });
    from.once('end', () => {
      last = last.then(async () => {
        await way();
        to.end();
      });
    });
  }
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', resolve);
  });
