/** Verifying addresses as most libraries do: a connection for each, one command after the other. */
import type { Socket } from 'node:net';
import PQueue from 'p-queue';
import { SocksClient } from 'socks';

export interface VerifyEachOptions {
  proxy: { host: string; port: number };
  /** The exchanger's address of a domain. */
  addressOf: (domain: string) => string;
  /** Connections to one exchanger at once. */
  perExchanger: number;
}

/** Whether the exchanger accepts each address; no catch-all test, which would cost one command more. */
export async function verifyEach(
  emails: readonly string[],
  { proxy, addressOf, perExchanger }: VerifyEachOptions,
): Promise<Map<string, boolean>> {
  const results = new Map<string, boolean>();
  const queues = new Map<string, PQueue>();
  for (const email of emails) {
    const host = addressOf(email.split('@')[1]!);
    const queue = queues.get(host) ?? new PQueue({ concurrency: perExchanger });
    queues.set(host, queue);
    void queue.add(async () => {
      const { socket } = await SocksClient.createConnection({
        command: 'connect',
        proxy: { ...proxy, type: 5 },
        destination: { host, port: 25 },
      });
      results.set(email, await accepts(socket.setNoDelay(true), email));
    });
  }
  await Promise.all([...queues.values()].map((queue) => queue.onIdle()));
  return results;
}

async function accepts(socket: Socket, email: string): Promise<boolean> {
  const next = replies(socket);
  await next();
  for (const command of ['EHLO bench.test', 'MAIL FROM:<verify@bench.test>']) {
    socket.write(`${command}\r\n`);
    await next();
  }
  socket.write(`RCPT TO:<${email}>\r\n`);
  const answer = await next();
  socket.end('QUIT\r\n');
  return answer.startsWith('250');
}

/** The last line of each reply. */
function replies(socket: Socket): () => Promise<string> {
  let rest = '';
  const ready: string[] = [];
  let wanted: ((line: string) => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
    const lines = rest.split('\r\n');
    rest = lines.pop()!;
    for (const line of lines.filter((each) => each[3] === ' ')) {
      if (wanted) wanted(line);
      else ready.push(line);
      wanted = undefined;
    }
  });
  socket.on('error', () => undefined);
  return () => {
    const line = ready.shift();
    return line ? Promise.resolve(line) : new Promise((resolve) => (wanted = resolve));
  };
}
