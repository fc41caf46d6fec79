/**
 * All mail hosts of P16 in a process of its own: `fork(path, [certificate directory])`, then its message. A resolver
 * for names below `HOSTS_DOMAIN`, a SOCKS5 proxy, submission and IMAP over TLS. It keeps a book of what it took: for
 * each recipient, when. Asked by messages: `book` or `state`.
 */
import { createSocket } from 'node:dgram';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { openCertificateAuthority } from '../src/sandbox/certificate-authority.ts';
import { startSocksListener } from '../test/support/tools/socks-listener.ts';
import { serveImap } from './p16-imap.ts';
import { HOSTS_DOMAIN, type Book, type HostState } from './p16-hosts.ts';

const IMAP_PORT = 993;
const END = '\r\n.\r\n';
/** What a server needs to store a message. */
const STORE_MS = 10;

const authority = await openCertificateAuthority(process.argv[2]!);
const issued = await authority.issue([`*.${HOSTS_DOMAIN}`]);
const keys = { cert: issued.certificatePem, key: issued.privateKeyPem };
const book = new Map<string, number[]>();
const logins = new Set<string>();
let connections = 0;

const imap = createTlsServer(keys, (socket) => {
  connections += 1;
  socket.on('close', () => (connections -= 1));
  serveImap(socket, (user) => logins.add(user));
});
const submission = createTlsServer(keys, serveSubmission);
for (const server of [imap, submission]) server.on('tlsClientError', () => undefined);
const socks = await startSocksListener(({ port }) => {
  socks.asked.length = 0;
  return (port === IMAP_PORT ? imap : submission) as unknown as Server;
});
const dns = createSocket('udp4');
dns.on('message', (question, { port, address }) => dns.send(answerTo(question), port, address));
await new Promise<void>((resolve) => dns.bind(0, '127.0.0.1', resolve));
process.send!({
  caFile: authority.caFile,
  proxy: socks.url,
  dns: `127.0.0.1:${(dns.address() as AddressInfo).port}`,
});
process.on('message', (asked: 'book' | 'state') => {
  const state: HostState = { connections, mailboxes: logins.size, messages: book.size };
  process.send!(asked === 'book' ? ([...book] satisfies Book) : state);
});
process.on('disconnect', () => process.exit());
// The bench ends it by closing the channel, also after Ctrl-C.
process.on('SIGINT', () => undefined);

function serveSubmission(socket: Socket): void {
  let buffer = '';
  let isText = false;
  let recipient = '';
  const say = (reply: string) => socket.write(`${reply}\r\n`);
  const take = () => {
    book.set(recipient, [...(book.get(recipient) ?? []), Date.now()]);
    setTimeout(() => say('250 2.0.0 Ok: queued'), STORE_MS);
  };
  const onCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    isText = verb === 'DATA';
    if (isText) return say('354 End data with <CR><LF>.<CR><LF>');
    if (verb === 'RCPT') recipient = /<([^>]+)>/.exec(line)?.[1] ?? line;
    if (verb === 'EHLO') say('250-bench\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 AUTH PLAIN');
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
      if (isText) {
        isText = false;
        take();
      } else onCommand(line);
    }
  });
  say('220 bench ESMTP');
}

/** Our hosts have an address of the benchmark range; nobody else exists. RFC 1035, 4.1. */
function answerTo(question: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let size = question[at]!; size > 0; size = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size).toLowerCase());
    at += size + 1;
  }
  const isAddress = question.readUInt16BE(at + 1) === 1;
  const isOurs = labels.join('.').endsWith(`.${HOSTS_DOMAIN}`);
  const head = Buffer.from(question.subarray(0, at + 5));
  head.writeUInt16BE(isOurs ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(isOurs && isAddress ? 1 : 0, 6);
  head.fill(0, 8, 12);
  if (!isOurs || !isAddress) return head;
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 198, 18, 0, 1];
  return Buffer.concat([head, Buffer.from(record)]);
}
