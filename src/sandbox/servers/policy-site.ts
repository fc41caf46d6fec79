/** Port 443 of a simulated host: the policies of MTA-STS (RFC 8461, 3.2), and nothing else. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { HostContext } from './host-context.ts';

export function policySite(host: HostContext): (socket: Socket) => void {
  const server = createServer((request, response) => {
    const { mtaSts = [], hostName } = host.machine();
    const name = request.headers.host?.replace(/:\d+$/, '');
    const policy = mtaSts.find(({ domain }) => name === `mta-sts.${domain}`);
    if (policy === undefined || request.url !== '/.well-known/mta-sts.txt') {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`version: STSv1\r\nmode: ${policy.mode}\r\nmx: ${hostName}\r\nmax_age: 86400\r\n`);
  });
  return (socket) => void server.emit('connection', socket);
}
