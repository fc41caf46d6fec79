/**
 * A submission host that keeps nothing, in a process of its own: `fork(path, [certificate directory,
 * milliseconds for each message])`, then its message. Behind a SOCKS5 proxy for ours, directly, and
 * without TLS.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { openCertificateAuthority } from '../src/sandbox/certificate-authority.ts';
import { startSocksListener } from '../test/support/tools/socks-listener.ts';

const [directory, storeMs] = [process.argv[2]!, Number(process.argv[3])];
const END = '\r\n.\r\n';

const authority = await openCertificateAuthority(directory);
const { certificatePem, privateKeyPem } = await authority.issue(['mail.bench.test']);
let messages = 0;
let [firstAt, lastAt] = [0, 0];
const tls = createTlsServer({ cert: certificatePem, key: privateKeyPem }, serve);
const direct = createServer((socket) => tls.emit('connection', socket.setNoDelay(true)));
await new Promise<void>((resolve) => direct.listen(0, '127.0.0.1', resolve));
const plain = createServer(serve);
await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
const socks = await startSocksListener(() => tls as unknown as Server);
process.send!({
  caFile: authority.caFile,
  proxy: socks.url,
  port: (direct.address() as AddressInfo).port,
  plainPort: (plain.address() as AddressInfo).port,
});
process.on('message', ({ forget }: { forget: boolean }) => {
  process.send!({ messages, ms: lastAt - firstAt });
  if (forget) messages = 0;
});
process.on('disconnect', () => process.exit());

function serve(socket: Socket): void {
  let buffer = '';
  let isText = false;
  const say = (reply: string) => socket.write(`${reply}\r\n`);
  const take = () => {
    if (messages === 0) firstAt = performance.now();
    messages += 1;
    lastAt = performance.now();
    if (storeMs > 0) setTimeout(() => say('250 2.0.0 Ok: queued'), storeMs);
    else say('250 2.0.0 Ok: queued');
  };
  const onCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    isText = verb === 'DATA';
    if (isText) say('354 End data with <CR><LF>.<CR><LF>');
    else if (verb === 'EHLO') say('250-bench\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 AUTH PLAIN');
    else if (verb === 'AUTH') say('235 2.7.0 Authentication successful');
    else if (verb === 'QUIT') socket.end('221 2.0.0 Bye\r\n');
    else say('250 2.0.0 Ok');
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      const mark = isText ? END : '\r\n';
      const end = buffer.indexOf(mark);
      if (end < 0) return;
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + mark.length);
      if (!isText) {
        onCommand(line);
        continue;
      }
      isText = false;
      take();
    }
  });
  say('220 bench ESMTP');
}
