/** Calls of vendors are counted where their ports are made, before anything swallows a refusal. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { ProviderError, type ProviderErrorKind } from '../src/domain/errors.ts';
import { createVendorCalls } from '../src/telemetry/vendor-calls.ts';
import { addVendorCalls } from '../src/telemetry/vendor-metrics.ts';
import { startJsonServer, type JsonServer } from './support/tools/json-server.ts';
import { cpuMs } from './support/cpu-time.ts';

let vendor: JsonServer;
beforeAll(async () => {
  vendor = await startJsonServer();
});
afterAll(() => vendor.close());

const failure = (kind: ProviderErrorKind) =>
  new ProviderError(kind, 'refused', { provider: 'acme' });

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const page of pages) list.push(page);
  return list;
}

describe('calls of vendors', () => {
  it('are counted by vendor and kind, of streams and promises alike', async () => {
    const calls = createVendorCalls();
    const port = calls.watch('acme', {
      name: 'acme',
      look: async (kind: ProviderErrorKind | null) => {
        if (kind) throw failure(kind);
        return 7;
      },
      async *pages(kind: ProviderErrorKind | null) {
        yield [1];
        if (kind) throw failure(kind);
      },
      words: () => 'no call of the vendor',
      bug: () => Promise.reject(new TypeError('ours')),
      missing: undefined as (() => Promise<void>) | undefined,
    });
    expect(await port.look(null)).toBe(7);
    await expect(port.look('auth')).rejects.toMatchObject({ kind: 'auth' });
    expect(await all(port.pages(null))).toEqual([[1]]);
    await expect(all(port.pages('quota'))).rejects.toMatchObject({ kind: 'quota' });
    expect([port.name, port.words(), port.missing]).toEqual([
      'acme',
      'no call of the vendor',
      undefined,
    ]);
    await expect(port.bug()).rejects.toThrow('ours');
    expect(calls.counts().get('acme')).toEqual({
      ok: 2,
      rejected: 0,
      unavailable: 0,
      rate_limited: 0,
      auth: 1,
      quota: 1,
      not_ready: 0,
      outcome_unknown: 0,
    });
  });

  it('are counted for every port of a process, and exported from 0 on', async () => {
    const context = createContext(
      readConfig({
        OUTREACH_ENV: 'development',
        DATABASE_URL: 'postgres://127.0.0.1:9/none',
        JWT_SECRET: 'a'.repeat(64),
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
        PUBLIC_URL: 'http://127.0.0.1:3000',
        HUNTER_KEY: 'k',
        HUNTER_URL: vendor.url,
      }),
      pino({ level: 'silent' }),
    );
    try {
      const registry = new Registry();
      addVendorCalls(registry, context.vendorCalls);
      const value = async (name: string, outcome: string) =>
        (await registry.metrics())
          .split('\n')
          .find((line) => line.includes(`vendor="${name}",outcome="${outcome}"`))
          ?.split(' ')[1];
      expect(await value('hunter', 'auth')).toBe('0');
      expect(await value('mail-host', 'auth')).toBe('0');
      expect(await value('acme', 'auth')).toBe('0');
      expect(await value('apollo', 'auth')).toBeUndefined();
      vendor.answer = () => ({ status: 401, body: { errors: [{ code: 401 }] } });
      const question = { companyName: 'One', domain: 'one.example', limit: 1 };
      await expect(context.contactFinders.hunter!.find(question)).rejects.toThrow('hunter');
      expect(await value('hunter', 'auth')).toBe('1');
    } finally {
      await context.close();
    }
  });

  it('cost nearly nothing', async () => {
    const bare = { look: async () => 1 };
    const watched = createVendorCalls().watch('acme', bare);
    const look = async () => {
      for (let turn = 0; turn < 20_000; turn += 1) await watched.look();
    };
    expect(await cpuMs(look)).toBeLessThan(500);
  });
});
