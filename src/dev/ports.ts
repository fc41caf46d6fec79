/** Ports of the world: the wanted one, else the next free one; any free one on request. */
import { createServer } from 'node:net';

/** A span in which something is free on every machine that can run the world at all. */
const triesAfterWanted = 200;

/** A free TCP port of 127.0.0.1, chosen by the system. */
export async function freePort(): Promise<number> {
  return tryPort(0).then((port) => {
    if (port === undefined) throw new Error('The system has no free port on 127.0.0.1.');
    return port;
  });
}

/** `wanted`, or the next one that is free and not among `taken`. */
export async function nextFreePort(
  wanted: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number> {
  for (let port = wanted; port <= Math.min(wanted + triesAfterWanted, 65_535); port++) {
    if (!taken.has(port) && (await tryPort(port)) !== undefined) return port;
  }
  throw new Error(`No free port between ${wanted} and ${wanted + triesAfterWanted}.`);
}

/** Binds both loopback and every address: a server on either one takes the port. */
async function tryPort(port: number): Promise<number | undefined> {
  const onLoopback = await bind(port, '127.0.0.1');
  if (onLoopback === undefined || port === 0) return onLoopback;
  return (await bind(port, '0.0.0.0')) === undefined ? undefined : port;
}

function bind(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
