/** Byte streams over a unix socket: one line says what is wanted, one line answers, then the stream. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** The requests that the two sides send each other. */
export type Request =
  /** A connection to a TCP port, in the network of the side that is asked. */
  | { op: 'connect'; host: string; port: number }
  | { op: 'boot'; server: ServerTree }
  /** `shut-down` lets the services finish; `power-off` cuts the power. */
  | { op: 'stop'; id: string; how: 'shut-down' | 'power-off' }
  | { op: 'ping' };

/** A server as the namespaces need to know it. */
export interface ServerTree {
  id: string;
  ipv4: string;
  /** The image below, and the folder with what the server has written since. */
  imageDir: string;
  serverDir: string;
}

const MAX_LINE_BYTES = 64 * 1024;

/** The stream after a granted request; rejects with the other side's error. */
export async function openChannel(path: string, request: Request): Promise<Socket> {
  const socket = createConnection({ path });
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  failed.catch(() => undefined);
  const answered = async () => {
    socket.write(`${JSON.stringify(request)}\n`);
    return readLine(socket);
  };
  try {
    const problem = await Promise.race([answered(), failed]);
    if (problem !== '') throw new Error(problem);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket.on('error', () => socket.destroy());
}

/**
 * `handle` throws to refuse, or answers the stream to be joined with the caller's; without a stream the
 * channel ends.
 */
export async function serveChannels(
  path: string,
  handle: (request: Request) => Promise<Socket | undefined>,
): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void answer(socket, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return server;
}

async function answer(
  socket: Socket,
  handle: (request: Request) => Promise<Socket | undefined>,
): Promise<void> {
  try {
    const other = await handle(JSON.parse(await readLine(socket)) as Request);
    socket.write('\n');
    if (other === undefined) socket.end();
    else join(socket, other);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    socket.end(`${words.replaceAll('\n', ' ') || 'refused'}\n`);
  }
}

/** Pipes both ways; data under way still arrives, an error on one side breaks the other. */
export function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', (hadError) => (hadError ? to.destroy() : to.end()));
    from.pipe(to);
  }
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const stop = (error: Error) => {
      socket.off('readable', read).off('close', gone);
      reject(error);
    };
    const gone = () => stop(new Error('the connection was closed'));
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null;) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\n');
        if (end >= 0) {
          socket.off('readable', read).off('close', gone);
          if (head.length > end + 1) socket.unshift(head.subarray(end + 1));
          return resolve(head.subarray(0, end).toString('utf8'));
        }
        if (head.length > MAX_LINE_BYTES) return stop(new Error('the first line is too long'));
        chunk = socket.read() as Buffer | null;
      }
    };
    socket.on('readable', read).on('close', gone);
  });
}
