/**
 * Whom a refusal speaks of, by what servers really answer. RFC 3463;
 * docs/sending-rules.md#which-refusals-suppress.
 */
import { describe, expect, it } from 'vitest';
import { blameOf } from '../../src/domain/inbox/mail-classification/blame.ts';
import {
  isHostTrouble,
  isListing,
  isUnwanted,
  refusalOf,
} from '../../src/domain/sending/smtp-refusals.ts';
import { cpuMs } from '../support/cpu-time.ts';

/** In the talk, and in a report that quotes it, with its status, `5.0.0` or none. */
function refusalsOf(reply: string): Set<string | undefined> {
  const status = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0] ?? '5.0.0';
  const reports = [blameOf(status, `smtp; ${reply}`), blameOf(undefined, reply)];
  return new Set([refusalOf(reply), ...reports.map(({ refusal }) => refusal)]);
}

describe('refusals', () => {
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
    // Neither words of policies nor a wish to try again bring a dead address back.
    ['553 Requested action not taken: mailbox name not allowed'],
    ['550 Recipient not accepted'],
    ['550 Address not accepted here'],
    ['550 Recipient address not permitted'],
    ['550 Access denied, user not in directory'],
    ['550 Mailbox not allowed'],
    ['550 User no longer exists, try later'],
    ['550 The address could not be found. Please check it and try again later'],
    ['550 Address no longer valid, try again later'],
    ['550 Address no longer in use, try again later'],
    ['550 She is no longer with us, try again later'],
    ["550 Users don't exist here, try again later"],
    ['550 user not exist, try again later'],
    ['550 invalid user, try again later'],
    ['550 address invalid, try again later'],
    ['550 unavailable mail user, try again later'],
    ['550 user not known, try again later'],
    ['550 user suspended, try again later'],
    ['550 account closed, try again later'],
    ['550 mailbox not found. Rate limited by directory protection'],
    ["550 user doesn't exist; hourly limit"],
    ['550 mailbox temporarily suspended for inactivity, user unknown'],
    ['550 The mail account of the former employee exceeded its retention. It does not exist.'],
    ['550 user unknown; suspected directory harvest'],
    ['550 Unknown user: please use the full email address'],
    ['550 User unknown. full stop'],
    ['550 Recipient unknown: see our privacy policy'],
    ['550 5.7.1 Mailbox does not exist'],
    ['550 5.7.1 user does not exist'],
    ['550 5.7.1 <a@b.test>: Recipient not found'],
    ['550 Your message was rejected. User no longer works here'],
    ['550 Message rejected: user no longer works here'],
  ])('of the recipient: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['recipient']));
  });

  it.each([
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['550 5.7.1 see https://www.spamhaus.org/query/ip/192.0.2.1'],
    ['554 rejected, bl.spamcop.net'],
    ['550 IP 192.0.2.1 is listed at b.barracudacentral.org'],
    ['550 Your address is blocked.Contact us'],
    ['550 5.1.0 sender rejected'],
    ['550 5.1.8 <ann@one.test>: Sender address rejected: Domain not found'],
    ['553 5.7.1 <ann@one.test>: Sender address rejected: not owned by user bob@one.test'],
    ['554 5.7.1 <a@b.test>: Relay access denied'],
    ['550-Verification failed for <ann@one.test>\n550-No such user here\n550 Sender verify failed'],
  ])('of the sender: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['sender']));
  });

  it.each([
    ['552 5.2.2 Mailbox full'],
    ['552 Message exceeds storage quota'],
    ["552 5.2.2 Message exceeds the recipient's quota"],
    ['552 5.2.2 Message exceeds storage quota'],
    ['550 No such user or mailbox full'],
    ['550 Unknown recipient: over quota'],
    ['550 mailbox is full, use the full address'],
    ['552 The mailbox of ann@acme.test is full'],
    ['550 Quota exceeded (mailbox for user is over quota)'],
    ['554 5.2.2 user has exceeded their storage allocation'],
  ])('for now: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['later']));
  });

  it.each([
    ['554 5.7.1 Looks like spam'],
    ['550 5.7.1 Message rejected due to content restrictions'],
    ['550-5.7.26 Unauthenticated email from one.test is not accepted due to DMARC policy'],
    [
      '550-5.7.1 [192.0.2.1 12] Our system has detected that this message is likely unsolicited mail',
    ],
    ['550 5.7.1 Message blocked, see https://support.google.com/mail/answer/188131 - gsmtp'],
    ['550 5.7.28 There is an unusual rate of unsolicited mail originating from your IP address'],
    ['550 5.7.350 Remote server returned message detected as spam -> 554 5.7.1 rejected'],
    ['550 5.7.509 Access denied, sending domain one.test does not pass DMARC verification'],
    [
      '550 5.7.515 Access denied, sending domain one.test doesn’t meet the required authentication level',
    ],
    ['550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP'],
    ['554 Message not allowed - [PH01] Email not accepted for policy reasons'],
    ['554 5.7.9 Message not accepted for policy reasons'],
    ['550 5.7.0 Local Policy Violation'],
    ['554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1'],
    ['550 Administrative prohibition - envelope blocked'],
    ['554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369'],
    ['550 Rejected by anti-spoofing policy'],
    ['550 5.7.1 [CS01] Message rejected due to local policy'],
    ['554 Transaction failed Reject due to policy restrictions'],
    ['550 Message considered spam or virus, rejected'],
    ['554 Your access to this mail system has been rejected due to poor reputation'],
    ['550 5.7.1 Access denied'],
    ['550 Mail from you is not allowed here'],
    ['550 sender address is not allowed'],
    ['550 Sender address not permitted'],
    ['550 IP address not allowed'],
    ['550 User not permitted to send to this group'],
    ['550 Mail address not allowed as sender'],
    ['550 Your sender domain does not exist, rejected by policy'],
    ['550 5.7.1 SPF record of your domain does not exist'],
  ])('as spam or by a policy: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['policy']));
  });

  it.each([
    ['550 5.4.316 Message expired, connection refused(Socket error code 10061)'],
    ['554 5.4.6 Routing loop detected'],
    ['554 5.4.14 Hop count exceeded - possible mail loop ATTR34'],
    ['550 5.4.1 No answer from host'],
    ['550 5.4.300 Message expired'],
    ['554 5.4.7 Delivery expired (message too old)'],
    ['550 retry timeout exceeded'],
  ])('of the way, not of the address: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['transport']));
  });

  it.each([
    ['550 5.4.1 <a@b.test>: Recipient address rejected: Access denied'],
    ['550 5.4.310 DNS domain b.test does not exist'],
  ])('of the recipient, in spite of its code: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['recipient']));
  });

  it.each([
    ['552 5.3.4 Message size exceeds fixed limit'],
    ['552 Message exceeds fixed maximum size'],
    ['554 Transaction failed'],
    ['553 5.6.7 SMTPUTF8 is required, but was not offered by host mx.b.test'],
    ['550 5.6.7 Recipient address rejected: <jörg@b.test> is not ASCII'],
  ])('of the message: %s', (reply) => {
    expect(refusalsOf(reply)).toEqual(new Set(['message']));
  });
});

it.each(['exceeds ', 'a.', '@', 'a@', 'a', 'spam a'])(
  'judges a report of any length at once: %s',
  async (part) => {
    const words = `550 ${part.repeat(Math.ceil(300_000 / part.length))}`;
    // By n² steps it would be minutes.
    expect(await cpuMs(() => blameOf('5.0.0', words))).toBeLessThan(3_000);
  },
);

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

describe('isUnwanted', () => {
  it.each([
    ['550 5.7.606 Access denied, banned sending IP [192.0.2.1]', true],
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', true],
    ['550 5.1.8 <ann@one.test>: Sender address rejected: Domain not found', true],
    ['550 5.1.7 Invalid address', true],
    ['553 5.7.1 <ann@one.test>: Sender address rejected: not owned by user bob@one.test', false],
    ['554 5.7.1 <a@b.test>: Relay access denied', false],
    ['550 5.7.511 Access denied, banned sender[192.0.2.1]', true],
    ['550 5.1.8 Access denied, bad outbound sender AS(42004)', false],
    ['550 5.7.503 Access denied, banned sender', false],
    ['550 5.7.501 Access denied, spam abuse detected', false],
    ['550 5.4.5 Daily user sending limit exceeded', false],
    ['550 message sending for this account is disabled', false],
  ])('%s: %s', (reply, isIt) => {
    expect(isUnwanted(reply)).toBe(isIt);
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
