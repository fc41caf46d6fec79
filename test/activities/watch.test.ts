/** When a session is taken for one that hangs, by a clock of the test. */
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createWatch, HUNG_MS } from '../../activities/engine/watch.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';

const never = <T>() => new Promise<T>(() => undefined);

/** A watched session whose wait for news ends never, or as `idle` says. */
async function idling(idle: ImapSession['idle']) {
  let now = 0;
  const mailTransport = { openImap: () => Promise.resolve({ isUsable: () => true, idle }) };
  let plugin: KyselyPlugin | undefined;
  const db = { withPlugin: (given: KyselyPlugin) => void (plugin = given) };
  const asked = { db, mailTransport };
  const watch = createWatch(asked as never, () => now);
  const session = await watch.mailTransport.openImap({} as never);
  const query = () => plugin!.transformResult({ result: { rows: [] } } as never);
  return { watch, session, query, at: (seconds: number) => void (now = seconds * 1_000) };
}

describe('a wait for news of a mail server', () => {
  it.each([5, 60, 600, 3_600])(
    'that hangs is noticed within two minutes where it was to take %i s, and not before its time',
    async (limit) => {
      const { watch, session, at } = await idling(() => never());
      void session.idle(limit * 1_000);
      at(84);
      expect(watch.isHung(HUNG_MS)).toBe(false);
      at(117);
      expect(watch.isHung(HUNG_MS)).toBe(true);
    },
  );

  it('that hangs is noticed while other queries go on', async () => {
    const { watch, session, at, query } = await idling(() => never());
    void session.idle(600_000);
    at(100);
    await query();
    expect(watch.isHung(HUNG_MS)).toBe(false);
    at(117);
    await query();
    expect(watch.isHung(HUNG_MS)).toBe(true);
  });

  it('that ends before its time leaves no more time to what hangs after it', async () => {
    const { watch, session, at } = await idling(() => Promise.resolve('changed'));
    at(1);
    await session.idle(600_000);
    at(85);
    expect(watch.isHung(HUNG_MS)).toBe(false);
    at(90);
    expect(watch.isHung(HUNG_MS)).toBe(true);
  });

  it('of any length is no hang where the server answers', async () => {
    const limits: number[] = [];
    const { watch, session, at } = await idling((limitMs) => {
      limits.push(limitMs);
      return Promise.resolve('over');
    });
    for (let seconds = 0; seconds < 600; seconds += 75) {
      at(seconds);
      expect(watch.isHung(HUNG_MS)).toBe(false);
      await session.idle(600_000 - seconds * 1_000);
    }
    expect(Math.max(...limits)).toBeLessThanOrEqual(75_000);
  });
});
