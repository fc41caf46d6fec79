/** A lean HTTP client for benches: its cost reduces the server's share of the machine. */
import { connect, type Socket } from 'node:net';

export interface Load {
  host: string;
  port: number;
  connections: number;
}

/**
 * Sends `count` requests, one at a time over each connection; `next(n)` is the whole request.
 * Throws at the first answer that has another status. Answers seconds.
 */
export async function sendRequests(
  { host, port, connections }: Load,
  count: number,
  request: { next: (n: number) => string; status: number },
): Promise<number> {
  let sent = 0;
  const started = performance.now();
  const client = async () => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    while (sent < count) {
      const answer = readAnswer(socket);
      socket.write(request.next(sent++));
      const text = await answer;
      if (!text.startsWith(`HTTP/1.1 ${request.status} `)) throw new Error(text.slice(0, 2_000));
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return (performance.now() - started) / 1_000;
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < head + 4 + length) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(text);
    };
    const onClose = () => reject(new Error('the server closed the connection'));
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}
