/** The client of vendors' JSON APIs: limits, failures, secrets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ProviderError } from '../../src/domain/errors.ts';
import { createJsonClient, type JsonRequest } from '../../src/providers/http-client.ts';
import { commonRefusal } from '../../src/providers/http-failures.ts';
import { providerError } from '../support/vendors/provider-error.ts';

const SECRET = 'top-secret-token';
/** Of the calls that get no answer; the others have time. */
const TIMEOUT_MS = 400;

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = (url = baseUrl, timeoutMs = 15_000) =>
  createJsonClient({
    provider: 'acme',
    baseUrl: url,
    headers: { authorization: `Bearer ${SECRET}` },
    secrets: [SECRET],
    timeoutMs,
    refused: (refusal) =>
      commonRefusal('acme', refusal, {
        code: String(refusal.status),
        text: JSON.stringify(refusal.body),
        authHint: 'Check the key.',
      }) ?? new ProviderError('rejected', 'no', { provider: 'acme' }),
  });

const shape = z.object({ ok: z.boolean() });
const read: JsonRequest<typeof shape> = {
  method: 'GET',
  path: '/things',
  repeatable: true,
  answer: shape,
};
const buy: JsonRequest<typeof shape> = {
  ...read,
  method: 'POST',
  body: { thing: 1 },
  repeatable: false,
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
};

describe('an answer', () => {
  it('is parsed by its schema', async () => {
    json(200, { ok: true, more: 1 });
    await expect(client().send(read)).resolves.toEqual({ ok: true });
  });

  it('that does not fit is `unavailable` for a read and `outcome_unknown` for a purchase', async () => {
    json(200, { ok: 'yes' });
    expect((await providerError(client().send(read))).kind).toBe('unavailable');
    const error = await providerError(client().send(buy));
    expect(error.kind).toBe('outcome_unknown');
    expect(error.facts.providerCode).toBe('unexpected_answer');
  });

  it('that never ends is cut off at the limit of size', async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on('drain', more);
      more();
    };
    expect((await providerError(client().send(read))).kind).toBe('unavailable');
  });

  it('that redirects is not followed', async () => {
    json(302, {}, { location: `${baseUrl}/elsewhere` });
    const error = await providerError(client().send(read));
    expect(error.facts.operatorHint).toMatch(/redirect/);
  });
});

describe('a refusal', () => {
  it('of the credentials is `auth`, with a hint and the id of the request', async () => {
    json(401, { message: `bad ${SECRET}` }, { 'x-request-id': 'r-17' });
    const error = await providerError(client().send(read));
    expect(error).toMatchObject({
      kind: 'auth',
      facts: { requestId: 'r-17', operatorHint: 'Check the key.' },
    });
    expect(error.message).not.toContain(SECRET);
    expect(error.message).toContain('***');
  });

  it('for haste says when to come back', async () => {
    json(429, {}, { 'retry-after': '7' });
    expect((await providerError(client().send(read))).facts.retryAfterMs).toBe(7_000);
    json(429, {}, { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 200) });
    const { retryAfterMs = 0 } = (await providerError(client().send(read))).facts;
    expect(retryAfterMs).toBeGreaterThan(150_000);
    expect(retryAfterMs).toBeLessThanOrEqual(200_000);
    json(429, {});
    expect((await providerError(client().send(read))).facts.retryAfterMs).toBe(1_000);
  });

  it.each([
    ['as today', (at: Date) => at.toUTCString()],
    // RFC 9110, 5.6.7: what old servers write.
    [
      'as asctime',
      (at: Date) =>
        `Sun ${at.toUTCString().replace(/^.{5}(..) (...) (.{4}) (.{8}).*/, '$2 $1 $4 $3')}`,
    ],
  ])('for haste says when to come back by a date, %s', async (_how, written) => {
    json(429, {}, { 'retry-after': written(new Date(Date.now() + 30_000)) });
    const { retryAfterMs = 0 } = (await providerError(client().send(read))).facts;
    expect(retryAfterMs).toBeGreaterThan(20_000);
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  it.each(['Mon, 30 Nov 2020 13:00:00 GMT', 'soon', '-5', '2099'.padEnd(400, '9')])(
    'for haste waits a moment, or an hour at most, where that is no such time: %.40s',
    async (value) => {
      json(429, {}, { 'retry-after': value });
      const { retryAfterMs = 0 } = (await providerError(client().send(read))).facts;
      expect([1_000, 3_600_000]).toContain(retryAfterMs);
    },
  );

  it('with a 5xx leaves a purchase undecided', async () => {
    json(503, {});
    expect((await providerError(client().send(read))).kind).toBe('unavailable');
    expect((await providerError(client().send(buy))).kind).toBe('outcome_unknown');
  });
});

describe('no answer', () => {
  it('in time is `unavailable` for a read, `outcome_unknown` for a purchase', async () => {
    answer = () => undefined;
    const startedAt = Date.now();
    const hasty = client(baseUrl, TIMEOUT_MS);
    expect((await providerError(hasty.send(read))).kind).toBe('unavailable');
    expect(Date.now() - startedAt).toBeLessThan(25 * TIMEOUT_MS);
    expect((await providerError(hasty.send(buy))).kind).toBe('outcome_unknown');
  });

  it('because the connection broke is `outcome_unknown` for a purchase, sent once', async () => {
    let seen = 0;
    answer = (request) => {
      seen += 1;
      request.socket.destroy();
    };
    expect((await providerError(client().send(buy))).kind).toBe('outcome_unknown');
    expect(seen).toBe(1);
  });

  it('because nobody listens is `unavailable` even for a purchase: nothing left', async () => {
    const error = await providerError(client('http://127.0.0.1:9/v1').send(buy));
    expect(error).toMatchObject({ kind: 'unavailable', facts: { providerCode: 'ECONNREFUSED' } });
  });

  it('because the name does not exist is `unavailable` even for a purchase', async () => {
    const error = await providerError(client('http://no-such-host.invalid/v1').send(buy));
    expect(error.kind).toBe('unavailable');
  });
});
