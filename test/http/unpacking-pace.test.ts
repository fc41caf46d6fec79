/** The pace at which compressed bodies are unpacked: bombs wait for each other, nobody else for them. */
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/http/request-body.ts';
import { createUnpackingPace } from '../../src/http/unpacking-pace.ts';

const MB = 1_048_576;

describe('createUnpackingPace', () => {
  it('lets a burst pass, and then so many bytes a second, whoever asks', () => {
    let now = 0;
    const pace = { bytesPerSecond: 1_000, burstBytes: 500, longestMs: 600 };
    const wait = createUnpackingPace(pace, () => now);
    expect([wait(300), wait(200), wait(100), wait(400)]).toEqual([0, 0, 100, 500]);
    // Nobody waits longer, and who is sent away has cost nothing.
    expect([wait(101), wait(100)]).toEqual([null, 600]);
    now = 600;
    expect(wait(10)).toBe(10);
    // A pause saves up no more than the burst.
    now = 1_000_000;
    expect([wait(500), wait(1)]).toEqual([0, 1]);
  });
});

describe('readBody', () => {
  const requestOf = (body: Buffer, encoding: string) => {
    const headers = { 'content-encoding': encoding, 'content-length': String(body.length) };
    const request = Object.assign(new PassThrough(), { headers, complete: true });
    request.end(body);
    return request as unknown as IncomingMessage;
  };
  const bombs = [
    ['gzip', gzipSync(Buffer.alloc(16 * MB))],
    ['br', brotliCompressSync(Buffer.alloc(16 * MB))],
  ] as const;

  it('unpacks bombs slowly in all, and a small body beside them at once', async () => {
    const startedAt = performance.now();
    const refusals = Array.from({ length: 16 }, (_, n) => {
      const [encoding, body] = bombs[n % 2]!;
      return readBody(requestOf(body, encoding)).then(
        () => 'taken',
        (error: Error) => error.message,
      );
    });
    let isBesieged = true;
    const over = Promise.all(refusals).finally(() => (isBesieged = false));
    // Far more than the burst: the others wait for each other by now.
    await expect
      .poll(() => performance.now() - startedAt > 500 && isBesieged, { timeout: 10_000 })
      .toBe(true);
    const small = Buffer.from(JSON.stringify({ text: 'x'.repeat(50_000) }));
    const fair = await readBody(requestOf(gzipSync(small), 'gzip'));
    expect([fair.equals(small), isBesieged]).toEqual([true, true]);
    expect(new Set(await over)).toEqual(new Set(['The body is larger than 1 MB']));
    // 16 times the 7/8 MB that are not free, without the burst, at 4 MB a second.
    expect(performance.now() - startedAt).toBeGreaterThan(2_800);
  });

  it('serves a large body beside many bombs soon, or says to come again', async () => {
    const large = Buffer.from(JSON.stringify({ text: 'z'.repeat(600_000) }));
    const ends = Array.from({ length: 200 }, (_, n) => {
      const [encoding, body] = n === 150 ? (['gzip', gzipSync(large)] as const) : bombs[n % 2]!;
      return readBody(requestOf(body, encoding)).then(
        () => 'taken',
        (error: { code: string }) => error.code,
      );
    });
    const codes = await Promise.all(ends);
    expect(codes.filter((_, n) => n !== 150)).not.toContain('taken');
    expect(['taken', 'RATE_LIMITED']).toContain(codes[150]);
    expect(codes).toContain('RATE_LIMITED');
    // After them, nobody waits for what they wanted.
    await expect
      .poll(() => readBody(requestOf(gzipSync(large), 'gzip')).catch(() => undefined), {
        timeout: 5_000,
      })
      .toEqual(large);
  });

  it('gives up what stands still when its sender goes', async () => {
    const request = requestOf(gzipSync(randomBytes(500_000)), 'gzip');
    const reading = readBody(request);
    request.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('unpacks nothing where that is not wanted', async () => {
    const [encoding, body] = bombs[0];
    await expect(readBody(requestOf(body, encoding), { mayBePacked: false })).rejects.toMatchObject(
      { code: 'INVALID_INPUT' },
    );
  });

  it('unpacks a large honest body whole', async () => {
    const large = Buffer.from(JSON.stringify({ text: 'y'.repeat(900_000) }));
    expect((await readBody(requestOf(gzipSync(large), 'gzip'))).equals(large)).toBe(true);
  });
});
