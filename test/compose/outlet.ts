/**
 * The one way out of the namespaces in which the engine runs: a proxy on a Unix socket, by which `npm ci` of the
 * Dockerfile reaches its registry. So neither a bridge nor a rule of a firewall is made on the machine itself.
 */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Outside: answers CONNECT alone. */
export function serveOutlet(path: string): Promise<Server> {
  const server = createHttpServer((_request, response) => void response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(request.url ?? '') ?? [];
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      join(client, target);
    });
    target.once('error', () => client.destroy());
    client.once('error', () => target.destroy());
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

/** Inside: the same at a port of the loopback. */
export function openOutlet(path: string, port: number): Promise<Server> {
  const server = createServer((client) => {
    const target = connect(path);
    join(client, target);
    target.once('error', () => client.destroy());
    client.once('error', () => target.destroy());
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
}
