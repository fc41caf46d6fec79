/** `outreach webhooks`: events reach a program on this machine, signed, once, in order; none of it shows the secret. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/index.ts';
import { describeApi } from '../../support/api/describe-api.ts';
import { makeHome, outreachWith } from '../../support/cli/client.ts';
import { createSignal } from '../../support/tools/signal.ts';
import { happen as happenTo } from '../../support/webhooks/events.ts';

interface Received {
  body: string;
  headers: IncomingHttpHeaders;
}

const { api, database } = describeApi();
const received: Received[] = [];
let status = 204;
let target: string;
let token: string;
let userId: string;
let home: string;
let remove: () => Promise<void>;
let users = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  received.length = 0;
  status = 204;
  userId = `listener-${(users += 1)}`;
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
  ({ home, remove } = await makeHome());
});
afterEach(() => remove());

/** Transactions of other files, which are longer on a busy machine, hide what came after they began. */
const PATIENCE = { timeout: 100_000 };
/** Of a test that waits so. */
const LIMIT = { timeout: 150_000 };

const environment = () => ({ HOME: home, OUTREACH_URL: api.url, OUTREACH_API_KEY: token });
const outreach = (argv: string[], more: Record<string, string> = {}) =>
  outreachWith({ ...environment(), ...more }, ['webhooks', ...argv]);
const listen = (...options: string[]) =>
  outreach(['listen', '--forward', target, '--interval', '1', ...options]);
const happen = (type: 'email.sent' | 'email.replied', ...resources: string[]) =>
  happenTo(
    database.db,
    resources.map((resource) => ({ userId, type, resource, payload: { n: 1 } })),
  );
const listed = async () => (await api.call('GET', '/v1/events', { token })).body.data;
async function untilListed(count: number): Promise<void> {
  await expect.poll(async () => (await listed()).length, PATIENCE).toBe(count);
}
const secretFile = () => join(home, '.config/outreach/webhook-secret');

describe('outreach webhooks listen', LIMIT, () => {
  it('forwards what happens from now on, in order, signed as the service signs', async () => {
    await happen('email.sent', 'lead/0');
    await untilListed(1);
    const begun = createSignal();
    const argv = ['webhooks', 'listen', '--forward', target, '--interval', '1', '--count', '2'];
    const listening = outreachWith(environment(), argv, undefined, (line) => {
      if (line.startsWith('Events of ')) begun.open();
    });
    await begun.opened;
    await happen('email.replied', 'lead/1', 'lead/2');
    const { code, out, err } = await listening;
    expect(code).toBe(0);
    const secret = (await readFile(secretFile(), 'utf8')).trim();
    expect((await stat(secretFile())).mode & 0o777).toBe(0o600);
    const events = await Promise.all(
      received.map(({ body, headers }) => verifyWebhook({ body, headers, secret })),
    );
    expect(events).toEqual((await listed()).slice(1));
    expect(out).toMatch(/evt_\d+ +email\.replied +lead\/1 +-> +204 in \d+ ms\n.*lead\/2/);
    expect(`${out}${err}`).not.toContain(secret);
    // Each of both signatures alone is right.
    const [{ body, headers }] = received as [Received];
    const { 'x-outreach-signature': own, ...standard } = headers;
    await verifyWebhook({ body, headers: standard, secret });
    await verifyWebhook({ body, headers: { 'x-outreach-signature': own }, secret });
    await expect(verifyWebhook({ body: `${body} `, headers, secret })).rejects.toThrow('signature');
  });

  it('goes on behind an event, with the types that are asked for', async () => {
    await happen('email.sent', 'lead/1');
    await happen('email.replied', 'lead/2');
    await happen('email.sent', 'lead/3');
    await happen('email.replied', 'lead/4');
    await untilListed(4);
    const [first] = await listed();
    const only = ['--after', first.id, '--events', 'email.replied', '--count', '2', '--json'];
    const { out } = await listen(...only);
    const lines = out.split('\n').map((line) => JSON.parse(line));
    expect(lines.map(({ resource }) => resource)).toEqual(['lead/2', 'lead/4']);
    expect(received.map(({ body }) => JSON.parse(body))).toEqual(lines);
  });

  it('tries each once, tells what was not taken, and follows no redirect', async () => {
    await happen('email.sent', 'lead/1', 'lead/2');
    await untilListed(2);
    const [first] = await listed();
    status = 302;
    const { code, out } = await listen('--after', first.id, '--count', '1');
    expect([code, received.length]).toEqual([0, 1]);
    expect(out).toContain('not taken: it answered 302');
  });

  it.each([
    [['listen']],
    [['listen', '--forward', 'localhost:3000']],
    [['listen', '--forward', 'http://localhost:1', '--events', 'email.exploded']],
    [['replay', '--forward', 'http://localhost:1']],
  ])('%j is wrong usage', async (argv) => {
    expect(await outreach(argv)).toMatchObject({ code: 2, out: '' });
  });
});

describe('outreach webhooks replay', LIMIT, () => {
  it('posts an event again, with the secret of the environment', async () => {
    await happen('email.replied', 'lead/7');
    await untilListed(1);
    const [event] = await listed();
    const secret = `whsec_${'1f'.repeat(32)}`;
    const { code, out, err } = await outreach(['replay', event.id, '--forward', target], {
      OUTREACH_WEBHOOK_SECRET: secret,
    });
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toContain(secret);
    const [{ body, headers }] = received as [Received];
    expect(await verifyWebhook({ body, headers, secret })).toEqual(event);
    await expect(stat(secretFile())).rejects.toThrow('ENOENT');
  });

  it('fails where it is not taken, or not there', async () => {
    await happen('email.replied', 'lead/7');
    await untilListed(1);
    const [{ id }] = await listed();
    status = 500;
    expect(await outreach(['replay', id, '--forward', target])).toMatchObject({
      code: 1,
      err: 'Not taken: it answered 500',
    });
    expect(await outreach(['replay', id, '--forward', 'http://127.0.0.1:9/'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Not taken: /),
    });
    expect(await outreach(['replay', 'evt_999999999', '--forward', target])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^EVENT_NOT_FOUND: /),
    });
  });
});
