/** The sandbox's books: what an earlier process wrote, a later one believes. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdempotencyKeys } from '../../src/sandbox/idempotency.ts';
import { openStore } from '../../src/sandbox/store.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const journal = () => join(stateDir, 'journal.jsonl');

describe('the journal', () => {
  it('gives back documents in their order, deletions and counters after a restart', () => {
    const store = openStore(stateDir);
    store.put('domains', 'b.com', { n: 1 });
    store.put('domains', 'a.com', { n: 2 });
    store.put('domains', 'gone.com', { n: 3 });
    store.put('domains', 'b.com', { n: 4 });
    store.delete('domains', 'gone.com');
    store.nextId('orders');
    const again = openStore(stateDir);
    expect(again.list('domains')).toEqual([{ n: 4 }, { n: 2 }]);
    expect(again.nextId('orders')).toBe(2);
  });

  it('is written before put returns', () => {
    openStore(stateDir).put('domains', 'a.com', { n: 1 });
    expect(readFileSync(journal(), 'utf8')).toBe('{"c":"domains","id":"a.com","d":{"n":1}}\n');
  });

  it('drops a torn last line and goes on', () => {
    openStore(stateDir).put('domains', 'a.com', { n: 1 });
    appendFileSync(journal(), '{"c":"domains","id":"b.c');
    const store = openStore(stateDir);
    expect(store.list('domains')).toEqual([{ n: 1 }]);
    store.put('domains', 'c.com', { n: 3 });
    expect(openStore(stateDir).list('domains')).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('refuses to start on damage in the middle', () => {
    appendFileSync(journal(), '{"c":"dom\n{"c":"domains","id":"a.com","d":{}}\n');
    expect(() => openStore(stateDir)).toThrow('line 1 is damaged');
  });

  it('holds a batch back until all of it is there', () => {
    const store = openStore(stateDir);
    store.batch(() => {
      store.put('orders', '1', { n: 1 });
      expect(store.get('orders', '1')).toEqual({ n: 1 });
      expect(readFileSync(journal(), 'utf8')).toBe('');
      store.put('domains', 'a.com', { n: 1 });
    });
    expect(readFileSync(journal(), 'utf8').split('\n')).toHaveLength(3);
  });

  it('keeps what was written when the caller changes its object afterwards', () => {
    const store = openStore(stateDir);
    const document = { tags: ['a'] };
    store.put('x', '1', document);
    document.tags.push('b');
    expect(store.get('x', '1')).toEqual({ tags: ['a'] });
  });
});

describe('lag', () => {
  it('shows the outside the earlier state until the delay is over', () => {
    const store = openStore(stateDir);
    store.put('x', 'old', { n: 1 });
    const clock = takeClock();
    clock.stop();
    store.withLag(100, () => {
      store.put('x', 'old', { n: 2 });
      store.put('x', 'new', { n: 3 });
    });
    expect(store.list('x')).toEqual([{ n: 2 }, { n: 3 }]);
    expect(store.asSeenOutside(() => store.list('x'))).toEqual([{ n: 1 }]);
    clock.pass(99);
    expect(store.asSeenOutside(() => store.list('x'))).toEqual([{ n: 1 }]);
    clock.pass(1);
    expect(store.asSeenOutside(() => store.list('x'))).toEqual([{ n: 2 }, { n: 3 }]);
  });
});

describe('idempotency keys', () => {
  it('replay within the window, refuse another request, and are forgotten after it', () => {
    let now = 0;
    const windowMs = 3_600_000;
    const keys = createIdempotencyKeys(openStore(stateDir), {
      vendor: 'x',
      windowMs,
      now: () => now,
    });
    const answer = { status: 200, body: { order: 1 } };
    expect(keys.find('k', { a: 1 })).toBeUndefined();
    keys.keep('k', { a: 1 }, () => answer);
    now = windowMs - 1;
    expect(keys.find('k', { a: 1 })).toEqual(answer);
    expect(keys.find('k', { a: 2 })).toBe('mismatch');
    now = windowMs;
    expect(keys.find('k', { a: 1 })).toBeUndefined();
  });
});
