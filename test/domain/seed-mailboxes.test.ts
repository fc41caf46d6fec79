/** WARMUP_SEED_MAILBOXES: what is read from an entry, and what is refused. */
import { describe, expect, it } from 'vitest';
import { parseSeedMailbox, seedAddressesOf } from '../../src/domain/warmup/seed-mailboxes.ts';

describe('a seed mailbox', () => {
  it('has a host, an address that is its login, and a password', () => {
    const password = `:/?#[]@ ,%"$'ü`;
    const login = `Ann%40Acme.com:${encodeURIComponent(password)}`;
    expect(parseSeedMailbox(`imaps://${login}@IMAP.acme.com`)).toEqual({
      host: 'imap.acme.com',
      email: 'ann@acme.com',
      password,
    });
    expect(parseSeedMailbox(`imaps://${login}@imap.acme.com:993/`)).toBeDefined();
  });

  it.each([
    '',
    'ann@acme.com',
    'imap://ann%40acme.com:p@imap.acme.com',
    'imaps://ann%40acme.com:p@imap.acme.com:143',
    'imaps://ann%40acme.com@imap.acme.com',
    'imaps://ann:p@imap.acme.com',
    'imaps://ann%40acme.com:p@192.0.2.1',
    'imaps://ann%40acme.com:p@imap.acme.com/INBOX',
    'imaps://ann%40acme.com:p%0Aq@imap.acme.com',
    'imaps://ann%40acme.com:%zz@imap.acme.com',
  ])('is not %s', (text) => {
    expect(parseSeedMailbox(text)).toBeUndefined();
  });

  it('takes part once, whichever setting names it', () => {
    const seed = { host: 'imap.acme.com', email: 'ann@acme.com', password: 'p' };
    const settings = {
      WARMUP_SEED_ADDRESSES: ['Ann@acme.com', 'bob@acme.com'],
      WARMUP_SEED_MAILBOXES: [seed],
    };
    expect(seedAddressesOf(settings)).toEqual(['ann@acme.com', 'bob@acme.com']);
  });
});
