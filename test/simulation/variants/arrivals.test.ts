/** The simulation's referee knows which messages have certainly arrived. */
import { describe, expect, it } from 'vitest';
import { createArrivals } from './arrivals.ts';

const message = (id: string) => ({
  from: 'a@a.example',
  to: 'b@b.example',
  raw: Buffer.from(`Subject: x\r\nMessage-ID:\r\n <${id}>\r\n\r\nHi`),
});

describe('a message', () => {
  it('has certainly arrived where its server took it, and no process died at that moment', () => {
    const { note, isSure } = createArrivals();
    note(message('taken'), 'taken', 1);
    note(message('lost'), 'lost_after_text', 1);
    note(message('beside'), 'taken', 2);
    note(message('dead'), 'dies_after_taking', 2);
    expect(isSure({ messageId: '<taken>', at: 1 })).toBe(true);
    expect(isSure({ messageId: '<lost>', at: 1 })).toBe(false);
    expect(isSure({ messageId: '<beside>', at: 2 })).toBe(false);
    expect(isSure({ messageId: '<dead>', at: 2 })).toBe(false);
  });

  it('is what its last attempt has made of it', () => {
    const { note, isSure } = createArrivals();
    note(message('again'), 'taken', 1);
    note(message('again'), 'lost_after_text', 3);
    expect(isSure({ messageId: '<again>', at: 3 })).toBe(false);
  });
});
