/** A SOCKS5 server that hands each connection, to any address, to a server of this process. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface AskedConnection {
  /** As the client named it: an address, never a name, or the guard was bypassed. */
  host: string;
  port: number;
}

export interface SocksListener {
  url: string;
  /** Every connection that was asked for, granted or not. */
  asked: AskedConnection[];
  close(): Promise<void>;
}

/** `serve` answers the server that gets the socket; undefined refuses the connection. */
export async function startSocksListener(
  serve: (asked: AskedConnection) => Server | undefined,
): Promise<SocksListener> {
  const asked: AskedConnection[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.setNoDelay());
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    greet(socket, (request) => {
      asked.push(request);
      return serve(request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const GRANTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const REFUSED = Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]);

/** RFC 1928, without authentication; messages arrive whole on the loopback. */
function greet(socket: Socket, serve: (asked: AskedConnection) => Server | undefined): void {
  socket.once('data', () => {
    socket.write(Buffer.from([5, 0]));
    socket.once('data', (message) => {
      socket.pause();
      const server = serve(parse(message));
      socket.write(server ? GRANTED : REFUSED);
      if (!server) return socket.end();
      server.emit('connection', socket);
      socket.resume();
    });
  });
}

function parse(message: Buffer): AskedConnection {
  const type = message[3];
  const size = type === 1 ? 4 : type === 4 ? 16 : message[4]!;
  const start = type === 3 ? 5 : 4;
  const bytes = message.subarray(start, start + size);
  const port = message.readUInt16BE(start + size);
  if (type === 1) return { host: bytes.join('.'), port };
  if (type === 3) return { host: bytes.toString('latin1'), port };
  return { host: bytes.toString('hex').replace(/(.{4})(?!$)/g, '$1:'), port };
}
