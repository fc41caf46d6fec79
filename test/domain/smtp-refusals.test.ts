/** Whom a refusal speaks of, by what servers really answer. RFC 3463; Mail: rules of sending. */
import { describe, expect, it } from 'vitest';
import { isHostTrouble, isListing, refusalOf } from '../../src/domain/smtp-refusals.ts';

describe('refusalOf', () => {
  it.each([
    // The name of a recipient or of their host is no word of the server.
    ['550 5.1.1 <sales@blocked-drains.co.uk>: Recipient address rejected: User unknown'],
    ['550 <info@listedhomes.com>: user unknown'],
    ['550 user unknown in fullmoon.de'],
    ['550 No such user here (mx.policy-experts.com)'],
    ['550 5.1.1 User not listed in Domino Directory'],
    ['550 jd@acme.com... not listed in Domino Directory'],
    ['550 5.1.1 mailbox of spam trap, blocked'],
    ['556 5.1.10 <a@b.test>: Recipient address rejected: Domain b.test does not accept mail'],
    ['550 5.1.0 Address rejected'],
    ['550 5.2.1 The email account that you tried to reach is disabled'],
    ['550 5.2.1 account blocked'],
    ['550 Requested action not taken: mailbox unavailable'],
    ["550 5.5.0 The account doesn't exist"],
  ])('of the recipient: %s', (reply) => {
    expect(refusalOf(reply)).toBe('recipient');
  });

  it.each([
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['550 5.7.1 see https://www.spamhaus.org/query/ip/192.0.2.1'],
    ['554 rejected, bl.spamcop.net'],
    ['550 IP 192.0.2.1 is listed at b.barracudacentral.org'],
    ['550 Your address is blocked.Contact us'],
    ['550 5.1.0 sender rejected'],
    ['550 5.1.8 <ann@one.test>: Sender address rejected: Domain not found'],
    ['550-5.7.26 Unauthenticated email from one.test is not accepted due to DMARC policy'],
    ['553 5.7.1 <ann@one.test>: Sender address rejected: not owned by user bob@one.test'],
    ['554 5.7.1 <a@b.test>: Relay access denied'],
  ])('of the sender: %s', (reply) => {
    expect(refusalOf(reply)).toBe('sender');
  });

  it.each([
    ['552 5.2.2 Mailbox full'],
    ['552 The mailbox of ann@acme.test is full'],
    ['550 Quota exceeded (mailbox for user is over quota)'],
    ['554 5.2.2 user has exceeded their storage allocation'],
  ])('for now: %s', (reply) => {
    expect(refusalOf(reply)).toBe('later');
  });

  it.each([
    ['554 5.7.1 Looks like spam'],
    ['552 5.3.4 Message size exceeds fixed limit'],
    ['550 5.7.1 Message rejected due to content restrictions'],
    ['554 Transaction failed'],
  ])('of the letter: %s', (reply) => {
    expect(refusalOf(reply)).toBe('letter');
  });
});

describe('isListing', () => {
  it.each([
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', true],
    ['550 IP 192.0.2.1 is listed at b.barracudacentral.org', true],
    ['550 5.7.1 your domain is on our blocklist', true],
    ['550 5.1.0 sender rejected', false],
    ['550-5.7.26 Unauthenticated email from one.test is not accepted due to DMARC policy', false],
    ['550 5.1.1 <sales@listed-homes.com>: not listed in Domino Directory', false],
  ])('%s: %s', (reply, isIt) => {
    expect(isListing(reply)).toBe(isIt);
  });
});

describe('isHostTrouble', () => {
  it.each([
    ['421 4.3.2 Service shutting down', true],
    ['452 4.3.1 Insufficient system storage', true],
    ['451 4.7.1 Service unavailable - try again later', true],
    ['451 4.3.0 Temporary lookup failure', true],
    ['451 Local error', true],
    ['450 4.2.0 Greylisted', false],
    ['450 4.1.2 <a@b.test>: Recipient address rejected: Domain not found', false],
    ['550 4.7.1 Odd', false],
  ] as const)('%s: %s', (reply, is) => {
    expect(isHostTrouble(reply)).toBe(is);
  });
});
