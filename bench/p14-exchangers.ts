/** Mail exchangers at some distance, behind a SOCKS5 proxy: `fork(path, [rttMs])`, then its message. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Socks5Server } from '@pondwader/socks5-server';

const rttMs = Number(process.argv[2]);

/** What a directory look-up costs a server, in ms. */
const LOOK_UP_MS = 0.5;

/** 198.18.0.x offers PIPELINING, 198.18.1.x does not. */
const isPipelining = (address: string): boolean => address.startsWith('198.18.0.');

const ports = {
  pipelining: await listen((socket) => void serve(socket, true)),
  plain: await listen((socket) => void serve(socket, false)),
};
const socks = new Socks5Server();
socks.setConnectionHandler((asked, sendStatus) => {
  const port = isPipelining(asked.destAddress) ? ports.pipelining : ports.plain;
  const stream = connect({ host: '127.0.0.1', port, noDelay: true });
  stream.once('connect', () => {
    sendStatus('REQUEST_GRANTED');
    stream.pipe(asked.socket).pipe(stream);
  });
  stream.on('error', () => asked.socket.destroy());
  asked.socket.on('error', () => stream.destroy());
});
const proxy = await listen((socket) => socks._handleConnection(socket));
process.send!({ port: proxy });
process.on('disconnect', () => process.exit());

async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    onSocket(socket.setNoDelay(true));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** What was sent together arrives together, half a round trip later; so does the answer. */
async function serve(socket: Socket, pipelining: boolean): Promise<void> {
  let previous: Promise<void> = sleep(2 * rttMs).then(() => {
    socket.write('220 bench ESMTP\r\n');
  });
  socket.on('data', (chunk: Buffer) => {
    const arrived = sleep(rttMs);
    previous = previous.then(async () => {
      await arrived;
      const lines = chunk.toString().split('\r\n').filter(Boolean);
      const lookUps = lines.filter((line) => line.startsWith('RCPT')).length;
      if (lookUps > 0) await sleep(Math.max(1, lookUps * LOOK_UP_MS));
      if (socket.writable) socket.write(lines.map((line) => answer(line, pipelining)).join(''));
      if (lines.includes('QUIT')) socket.end();
    });
  });
}

function answer(line: string, pipelining: boolean): string {
  if (line.startsWith('EHLO')) {
    return pipelining ? '250-bench\r\n250 PIPELINING\r\n' : '250 bench\r\n';
  }
  if (!line.startsWith('RCPT')) return '250 2.0.0 Ok\r\n';
  return /<user\d+@/.test(line) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
}
