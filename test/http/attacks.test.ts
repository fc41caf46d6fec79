/** A slice of `npm run drill -- attack`: attackers get their refusal and lose their connection, others are served. */
import { once } from 'node:events';
import { Agent, request, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';
import { seededRandom } from '../chaos/seeded-random.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { ATTACKS, prepareBombs, type AttackName, type Ending } from '../support/api/attacks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const seed = Number(process.env['ATTACK_SEED'] ?? Date.now() % 1_000_000);

/** What is 15 and 60 s in the product. */
const LIMITS = {
  headersMs: 1_500,
  requestMs: 2_000,
  checkMs: 100,
  stillMs: 60_000,
  idleMs: 60_000,
  lingerMs: 300,
  lingerBytes: 1_048_576,
};
/** Each kind at least so often, and so many more of any kind. */
const OF_EACH = 2;
const DRAWN = 20;
const HONEST = 40;
const HELD_MS = 20_000;
const PASSING_MS = 1_000;
/** With a turn each they would take longer than a rest may. */
const SILENT = 150;
/** Three times what passes in that time; as quickly as they are sent it would be ten times this. */
const PASSING_BYTES = 10 * 1_048_576;

/** No answer of ours is 5xx, and none is waited for in vain. */
const ENDINGS: Partial<Record<AttackName, Ending>> = {
  idle: 400,
  slowHeaders: 400,
  slowBody: 400,
  halfUpload: 400,
  giantBody: 400,
  giantChunks: 400,
  giantGet: 404,
  giantExpectation: 400,
  gzipBomb: 400,
  deflateBomb: 400,
  brotliBomb: 400,
};

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  [database] = await Promise.all([createTestDatabase(), prepareBombs()]);
  api = await startTestApi({ database, limits: LIMITS });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** Who does not read is left to the command: it takes a while to see that somebody does not. */
const names = Object.keys(ENDINGS) as AttackName[];

function drawn(): AttackName[] {
  const random = seededRandom(seed);
  const any = Array.from({ length: DRAWN }, () => names[Math.floor(random() * names.length)]!);
  return [...any, ...Array.from({ length: OF_EACH }, () => names).flat()];
}

describe(`under attack (ATTACK_SEED=${seed})`, () => {
  it('everybody else is answered, and every attacker is rid of', async () => {
    const target = { port: Number(new URL(api.url).port), token: await api.jwt('attacker') };
    const honest = await api.jwt('honest');
    // What holds on for longer is `held`, and odd.
    const signal = AbortSignal.timeout(HELD_MS);
    const attacks = drawn().map(async (name) => ({
      name,
      end: await ATTACKS[name](target, signal),
    }));

    const statuses = new Set<number>();
    for (let n = 0; n < HONEST; n += 1) {
      const { status } = await api.call('GET', '/v1/account', { token: honest });
      statuses.add(status);
    }
    const odd = (await Promise.all(attacks)).filter(({ name, end }) => ENDINGS[name] !== end);

    expect([...statuses]).toEqual([200]);
    expect(odd).toEqual([]);
  });
});

describe('the rest of a refused request', () => {
  it.each(['giantBody', 'giantChunks', 'giantExpectation', 'giantGet'] as const)(
    'of %s is ended by its bytes, long before its time',
    async (name) => {
      const patient = await startTestApi({
        database,
        limits: { ...LIMITS, requestMs: 600_000, lingerMs: 600_000 },
      });
      const target = { port: Number(new URL(patient.url).port), token: await patient.jwt('giant') };
      const signal = AbortSignal.timeout(HELD_MS);
      const end = await ATTACKS[name](target, signal);
      await patient.close();
      expect([end, signal.aborted]).toEqual([ENDINGS[name], false]);
    },
  );

  it('of one who is silent takes nobody else’s turn', async () => {
    const app: RequestListener = (_request, response) => response.writeHead(404).end();
    const server = createHttpServer(app, LIMITS).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const silent = Array.from({ length: SILENT }, () => connect({ port, host: '127.0.0.1' }));
    for (const socket of silent) {
      socket.on('error', () => undefined);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n');
    }
    await Promise.all(silent.map((socket) => once(socket, 'data')));

    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (body: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (answer) =>
          answer.resume().once('end', () => resolve(answer.statusCode!)),
        );
        sent.once('error', reject).end(body);
      });
    // The second goes over the same connection: the rest of the first has passed.
    expect([await ask(Buffer.alloc(500_000)), await ask(Buffer.alloc(10))]).toEqual([404, 404]);

    agent.destroy();
    for (const socket of silent) socket.destroy();
    server.close();
  });

  it('of several giants passes slowly in all, as it is read in vain', async () => {
    const app: RequestListener = (_request, response) => response.writeHead(404).end();
    const boundless = { ...LIMITS, lingerMs: PASSING_MS, lingerBytes: Infinity };
    const server = createHttpServer(app, boundless).listen(0, '127.0.0.1');
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const kinds = ['giantBody', 'giantChunks', 'giantGet'] as const;
    const ends = await Promise.all(
      kinds.map((name) => ATTACKS[name]({ port, token: '' }, AbortSignal.timeout(HELD_MS))),
    );
    server.close();
    const bytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);

    expect(ends).toEqual([404, 404, 404]);
    expect(bytes).toBeLessThan(PASSING_BYTES);
  });
});
