/**
 * Clients that try to exhaust the API: slow, silent, huge, compressed. They connect to 127.0.0.1 only.
 */
import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleVersion } from '../../../src/http/reference/page.ts';
import { bomb } from './bombs.ts';

export interface AttackTarget {
  port: number;
  /** An authenticated attacker does more harm. */
  token: string;
}

/**
 * The status of the answer; `closed` where the server ended the connection without one; `held` where it
 * stayed open until the attacker was told to stop.
 */
export type Ending = number | 'closed' | 'held';

/** One attack: it lasts until the server ends it, or until `stop`. */
type Attack = (target: AttackTarget, stop: AbortSignal) => Promise<Ending>;

/** Between two bytes or lines of a slow sender. */
const DROP_MS = 200;
const BLOCK = Buffer.alloc(65_536, 0x20);
/** The unpacked size of a compression bomb. */
const BOMB_BYTES = 16 * 1_048_576;

/** More than the buffers between the two hold. */
const DEAF_REQUESTS = 16;
/** A client that sends something from time to time does not count as idle. */
const DEAF_MS = 5_000;

const bombs = new Map<string, Promise<Buffer>>();
const bombOf = (encoding: 'gzip' | 'deflate' | 'br') => {
  const made = bombs.get(encoding) ?? bomb(encoding, '{"people":[', BOMB_BYTES);
  bombs.set(encoding, made);
  return made;
};

/** Prepares the bombs in advance, so that no attack waits for them. */
export const prepareBombs = () => Promise.all([bombOf('gzip'), bombOf('deflate'), bombOf('br')]);

const head = ({ token }: AttackTarget, ...more: string[]) =>
  [
    'POST /v1/leads HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...more,
    '',
    '',
  ].join('\r\n');

/** By name; each is a kind of abuse. */
export const ATTACKS = {
  /** Sends nothing. */
  idle: (target, stop) => endingOf(target, stop, async () => undefined),
  /** One header line at a time, without an end. */
  slowHeaders: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write('GET /v1/clusters HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      for (let n = 0; !isOver(); n += 1) {
        await sleep(DROP_MS);
        socket.write(`X-${n}: y\r\n`);
      }
    }),
  /** A byte of the body at a time. */
  slowBody: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write(head(target, 'Content-Length: 1000000'));
      while (!isOver()) {
        socket.write(' ');
        await sleep(DROP_MS);
      }
    }),
  /** Half of the body, and then nothing. */
  halfUpload: (target, stop) =>
    endingOf(target, stop, async (socket) => {
      socket.write(head(target, 'Content-Length: 131072'));
      socket.write(BLOCK);
    }),
  /** Announces a gigabyte, and sends it as fast as it is read. */
  giantBody: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write(head(target, 'Content-Length: 1073741824'));
      await flood(socket, isOver, BLOCK);
    }),
  /** The same without announcing its size. */
  giantChunks: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write(head(target, 'Transfer-Encoding: chunked'));
      const chunk = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
      await flood(socket, isOver, chunk);
    }),
  /** Node itself answers an Expect header. */
  giantExpectation: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write(head(target, 'Expect: anything', 'Content-Length: 1073741824'));
      await flood(socket, isOver, BLOCK);
    }),
  /** A body on a route that reads none. */
  giantGet: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1073741824\r\n\r\n');
      await flood(socket, isOver, BLOCK);
    }),
  gzipBomb: (target, stop) => explode(target, stop, 'gzip'),
  deflateBomb: (target, stop) => explode(target, stop, 'deflate'),
  brotliBomb: (target, stop) => explode(target, stop, 'br'),
  /** Asks for the largest answer again and again, and reads none of them. */
  deafReader: (target, stop) =>
    endingOf(target, stop, async (socket, isOver) => {
      socket.pause();
      const line = `GET /docs/scalar-${await bundleVersion()}.js HTTP/1.1`;
      socket.write(`${line}\r\nHost: 127.0.0.1\r\n\r\n`.repeat(DEAF_REQUESTS));
      while (!isOver()) {
        await sleep(DEAF_MS);
        // Only a write reveals that the other side is gone.
        socket.write('\r\n');
      }
    }),
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;

const explode = (target: AttackTarget, stop: AbortSignal, encoding: 'gzip' | 'deflate' | 'br') =>
  endingOf(target, stop, async (socket) => {
    const body = await bombOf(encoding);
    socket.write(
      head(
        target,
        'Connection: close',
        `Content-Encoding: ${encoding}`,
        `Content-Length: ${body.length}`,
      ),
    );
    socket.write(body);
  });

async function flood(socket: Socket, isOver: () => boolean, block: Buffer): Promise<void> {
  while (!isOver()) {
    if (socket.write(block)) await sleep(0);
    else {
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve).once('close', resolve);
      });
    }
  }
}

/** Connects, lets `act` write, and waits until the server ends it. Never rejects. */
function endingOf(
  { port }: AttackTarget,
  stop: AbortSignal,
  act: (socket: Socket, isOver: () => boolean) => Promise<void>,
): Promise<Ending> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    let isStopped = false;
    const halt = () => {
      isStopped = true;
      socket.destroy();
    };
    setMaxListeners(0, stop);
    stop.addEventListener('abort', halt, { once: true });
    socket.setEncoding('latin1');
    // An attacker reads only enough to get the status.
    socket.on('data', (part) => (answer = (answer + String(part)).slice(0, 32)));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      stop.removeEventListener('abort', halt);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      resolve(isStopped ? 'held' : status === undefined ? 'closed' : Number(status));
    });
    socket.once('connect', () => void act(socket, () => socket.destroyed));
    if (stop.aborted) halt();
  });
}
