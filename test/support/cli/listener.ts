/** A program of a client's own, at a port of this machine, which takes events whose signature is right. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../../clients/typescript/src/index.ts';

export interface Listener {
  url: string;
  /** Those whose signature is right, as they came. */
  events: { id: string; type: string }[];
  close: () => void;
}

/** Answers 401 to any other. */
export async function startListener(secret: string): Promise<Listener> {
  const events: Listener['events'] = [];
  const take = async (body: string, headers: IncomingHttpHeaders) =>
    void events.push(await verifyWebhook({ body, headers, secret }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString(), request.headers).then(
        () => response.writeHead(204).end(),
        () => response.writeHead(401).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, events, close: () => void server.close() };
}
