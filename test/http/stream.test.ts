/** Answers written page by page: whole or visibly broken, at the pace of their reader. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { upstreamUnavailable } from '../../src/domain/errors.ts';
import { route } from '../../src/http/route.ts';
import { streamed, streamedText } from '../../src/http/stream.ts';
import { openApiRoute } from '../../src/routes/docs.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let api: TestApi;
let token: string;

const PAGE_ROWS = 1_000;
const probeQuery = z.object({
  pages: z.coerce.number(),
  failAt: z.coerce.number().optional(),
  wrongAt: z.coerce.number().optional(),
});

/** What the last stream did. */
let seen = { pages: 0, isClosed: false };

async function* pagesOf({ pages, failAt, wrongAt }: z.output<typeof probeQuery>) {
  seen = { pages: 0, isClosed: false };
  try {
    for (let page = 0; page < pages; page += 1) {
      if (page === failAt) throw upstreamUnavailable('The database went away');
      seen.pages += 1;
      yield Array.from({ length: PAGE_ROWS }, (_, row) => ({
        id: page === wrongAt ? 'wrong' : page * PAGE_ROWS + row,
        text: 'x'.repeat(300),
      }));
      await Promise.resolve();
    }
  } finally {
    seen.isClosed = true;
  }
}

async function* linesOf(query: z.output<typeof probeQuery>) {
  for await (const page of pagesOf(query)) {
    yield page.map(({ id, text }) => `${id},${text}\r\n`).join('');
  }
}

const probes = () => {
  const rows = route({
    method: 'get',
    path: '/probe/rows',
    operationId: 'probe.ask',
    tag: 'probe',
    summary: 'Streams rows',
    status: 200,
    query: probeQuery,
    response: z.array(z.object({ id: z.int(), text: z.string() })),
    handler: ({ query }) =>
      streamed(pagesOf(query), (row) => ({ ...row, id: row.id as number }), {
        message: 'All of them',
      }),
  });
  const file = route({
    method: 'get',
    path: '/probe/file',
    operationId: 'probe.ask2',
    tag: 'probe',
    summary: 'Streams a file',
    status: 200,
    contentType: 'text/csv',
    query: probeQuery,
    response: z.string(),
    handler: ({ query }) =>
      streamedText(linesOf(query), { contentType: 'text/csv', fileName: 'rows.csv' }),
  });
  return [rows, file, openApiRoute([rows, file])];
};

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  api = await startTestApi({ database, routes: probes, context: { logger } });
  token = await api.jwt();
});
beforeEach(() => {
  seen = { pages: 0, isClosed: false };
});
afterAll(async () => {
  await api.close();
  await database.close();
});

describe('a streamed answer', () => {
  it('has all rows in the usual envelope', async () => {
    const { status, headers, body } = await api.call('GET', '/probe/rows?pages=3', { token });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({ success: true, message: 'All of them' });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([...Array(3_000).keys()]);
  });

  it('has an empty array where there are no rows', async () => {
    const { body } = await api.call('GET', '/probe/rows?pages=0', { token });
    expect(body).toEqual({ success: true, data: [], message: 'All of them' });
  });

  it('is a file with a name where it is text', async () => {
    const { headers, body } = await api.call('GET', '/probe/file?pages=2', { token });
    expect(headers.get('content-type')).toBe('text/csv');
    expect(headers.get('content-disposition')).toBe('attachment; filename="rows.csv"');
    expect(body.split('\r\n')).toHaveLength(2 * PAGE_ROWS + 1);
  });

  it('is an error in the envelope when its first page cannot be read', async () => {
    const { status, body } = await api.call('GET', '/probe/rows?pages=3&failAt=0', { token });
    expect(status).toBe(502);
    expect(body).toMatchObject({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it.each(['/probe/rows?pages=3&failAt=2', '/probe/file?pages=3&failAt=2'])(
    'breaks the connection when a later page cannot be read: %s',
    async (path) => {
      await expect(api.call('GET', path, { token })).rejects.toThrow('terminated');
      expect(seen.isClosed).toBe(true);
    },
  );

  it('is put together first for HTTP/1.0, which knows no other end than a length', async () => {
    const whole = await text(await ask('/probe/file?pages=3', 'HTTP/1.0'));
    const [head = '', body = ''] = whole.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    const failed = await text(await ask('/probe/file?pages=3&failAt=2', 'HTTP/1.0'));
    expect(failed).toMatch(/^HTTP\/1.1 502 /);
  });

  it('is checked row by row against the schema in tests', async () => {
    const wrong = api.call('GET', '/probe/rows?pages=3&wrongAt=1', { token });
    await expect(wrong).rejects.toThrow('terminated');
    expect(seen.pages).toBe(2);
  });

  it('stops reading rows when the client leaves', async () => {
    const socket = await ask('/probe/rows?pages=1000');
    await once(socket, 'data');
    socket.destroy();
    await until(() => seen.isClosed);
    expect(seen.pages).toBeLessThan(1_000);
  });

  it('reads no faster than the client does', async () => {
    const socket = await ask('/probe/rows?pages=1000');
    socket.pause();
    await until(() => seen.pages > 0);
    // A busy machine may take a while to fill the buffers.
    let held = 0;
    for (let still = 0; still < 5 && held < 100; still += 1) {
      await sleep(60);
      if (seen.pages > held) still = -1;
      held = seen.pages;
    }
    // What fits into the buffers of both kernels, and no more.
    expect(held).toBeLessThan(100);
    await sleep(200);
    expect(seen.pages).toBe(held);
    socket.destroy();
    await until(() => seen.isClosed);
  });

  it('sends nothing but headers to HEAD', async () => {
    const { status, body } = await api.call('HEAD', '/probe/rows?pages=1000', { token });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(seen.pages).toBe(1);
  });

  it('stands in the document with its content type', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const { content } = body.paths['/probe/file'].get.responses['200'];
    expect(content).toEqual({ 'text/csv': { schema: { type: 'string' } } });
  });
});

async function ask(path: string, version = 'HTTP/1.1'): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${path} ${version}\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'connect');
  return socket;
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it never happened');
    await sleep(10);
  }
}
