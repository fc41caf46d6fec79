/**
 * Listeners of simulated hosts on the loopback; the server behind is created at the first connection.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, createSecureContext, type Server } from 'node:tls';
import { callbackify } from 'node:util';
import type { TLSSocket } from 'node:tls';
import { defaultCertificate } from './default-certificate.ts';

export interface Listener {
  port: number;
  /** Ends every connection at once, like a power cut. */
  close(): Promise<void>;
}

/** A certificate with its key, both PEM, for the name that a client asks for by SNI. */
export interface NamedCertificate {
  hostName: string;
  key: string;
  certificate: string;
}

/** Listens on a free port of 127.0.0.1. */
export async function openListener(onSocket: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    // Without it, protocols of many small packets would wait for delayed acknowledgements.
    sockets.add(socket.setNoDelay());
    socket.on('close', () => sockets.delete(socket));
    // A client that resets its connection is no error of the host.
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** TLS from the first byte. `certificates()` is called at each handshake, the newest name wins. */
export function tlsFront(
  certificates: () => NamedCertificate[],
  onSecure: (socket: TLSSocket) => void,
): (socket: Socket) => void {
  let server: Promise<Server> | undefined;
  const contextFor = async (name: string) => {
    const known = certificates();
    const own = known.find((each) => each.hostName === name.toLowerCase()) ?? known.at(-1);
    const { key, certificate } = own ?? (await defaultCertificate());
    return createSecureContext({ key, cert: certificate });
  };
  const open = async (): Promise<Server> => {
    const { key, certificate } = certificates().at(-1) ?? (await defaultCertificate());
    const options = {
      key,
      cert: certificate,
      SNICallback: callbackify(contextFor),
    };
    const made = createTlsServer(options, (socket) => {
      socket.on('error', () => socket.destroy());
      onSecure(socket);
    });
    // A client that does not trust the certificate may close the connection.
    return made.on('tlsClientError', (_error, socket) => socket.destroy());
  };
  return (socket) => {
    server ??= open();
    void server.then((tls) => tls.emit('connection', socket));
  };
}
