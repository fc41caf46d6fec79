/** What real servers' answers to RCPT TO are taken for. */
import { describe, expect, it } from 'vitest';
import { recipientAnswer, sameWords } from '../../../src/providers/email-verifiers/smtp-replies.ts';
import type { SmtpReply } from '../../../src/providers/email-verifiers/smtp-connection.ts';

/** `550 5.1.1 text` as the connection reads it. */
function reply(line: string): SmtpReply {
  const [, code, rest] = /^(\d{3}) (.*)$/s.exec(line)!;
  const [, enhanced, text] = /^([245]\.\d+\.\d+)? ?(.*)$/s.exec(rest!)!;
  const marked = /#([245]\.\d+\.\d+)/.exec(text!)?.[1];
  return { code: Number(code), enhanced: enhanced ?? marked, text: text! };
}

describe('recipientAnswer', () => {
  it.each([
    '250 2.1.5 Ok',
    '250 OK',
    '251 User not local; will forward to <x@y.com>',
    '252 2.1.5 Cannot VRFY user, but will take message for this user',
  ])('accepted: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('accepted');
  });

  it.each([
    '550 5.1.1 <x@y.com>: Recipient address rejected: User unknown in virtual mailbox table',
    "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser x-si - gsmtp",
    '550 5.4.1 Recipient address rejected: Access denied. [AM.eop.prod.protection.outlook.com]',
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
    '550 Requested action not taken: mailbox unavailable',
    "554 delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0]",
    '550 No Such User Here',
    '550 5.1.1 No such user - psmtp',
    '550 Unrouteable address',
    '550 Invalid recipient <x@y.com> (Mode: normal)',
    '550 #5.1.0 Address rejected.',
    '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient x@y.com not found by SMTP address lookup',
    '550 <x@y.com>: User unknown',
    '550 5.1.1 unknown or illegal alias: x@y.com',
    '550 x@y.com No such user',
    '550 User does not exist',
    '550 account unknown',
    '553 sorry, this recipient is not in my validrcptto list',
    '550 Mailbox not found',
    '550 No mailbox by that name is currently available',
    '556 5.1.10 Recipient address has null MX',
    '550 5.1.1 <x@y.com> User unknown; rejecting',
    '551 5.1.1 User not found',
    '550 5.1.6 Mailbox has moved',
    '550 5.1.1 <x@y.com>: Recipient address rejected: User unknown in relay recipient table',
    '550 5.1.1 <x@y.com>: undeliverable address: host mx.y.com[192.0.2.9] said: 550 5.1.1 User unknown',
  ])('no such mailbox: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('no_mailbox');
  });

  it.each([
    '550 5.2.1 The email account that you tried to reach is disabled.',
    '550 5.2.1 Mailbox disabled, not accepting messages',
    '550 Account has been suspended',
    '554 5.1.1 mailbox is inactive',
  ])('disabled: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('disabled');
  });

  it.each([
    '452 4.2.2 The email account that you tried to reach is over quota.',
    '552 5.2.2 Mailbox full',
    '552 Requested mail action aborted: exceeded storage quota',
    '550 5.2.2 user is over quota',
    '452 mailbox is full',
    '550 Mailbox is full',
  ])('full: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('full');
  });

  it.each([
    '450 4.2.0 <x@y.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/y.com.html',
    '451 4.7.1 Greylisting in action, please come back later',
    '451 Graylisted - please try again in 5 minutes',
    '450 4.7.1 Try again later',
  ])('greylisted: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('greylisted');
  });

  it.each([
    '450 4.1.1 <x@y.com>: Recipient address rejected: unverified address',
    '451 4.3.0 Temporary lookup failure',
    '452 4.3.1 Insufficient system storage',
    '450 4.2.1 The user you are trying to contact is receiving mail too quickly',
    '550 5.1.1 <x@y.com>: undeliverable address: host mx.y.com[192.0.2.9] said: 451 4.3.0 Wait',
    '550 5.1.1 unverified address: Address lookup in progress',
    '550 5.1.1 Mailbox temporarily unavailable',
    '550 mailbox unavailable, please try again later',
  ])('later: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('later');
  });

  // Choice 29: a refusal of the probe is never "no such mailbox".
  it.each([
    '550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
    '550 Your IP is listed at bl.spamcop.net',
    '550 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted',
    '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using zen',
    '550 5.1.1 Access denied, banned sending IP. User unknown',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '421 4.7.0 [192.0.2.1] is listed at bl.example',
    '450 4.7.1 Client host rejected: your IP is on the blocklist of example',
  ])('a list has our address: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('listed');
  });

  it.each([
    '554 5.7.1 <x@y.com>: Recipient address rejected: Access denied',
    '554 5.7.1 <x@y.com>: Relay access denied',
    '550 5.7.1 Unable to relay',
    '550 relay not permitted',
    '553 sorry, this recipient is not in my validrcptto list (#5.7.1)',
    '550 Blocked',
    '550 5.1.1 message blocked due to poor reputation',
    '550 5.1.8 Sender address rejected: Domain not found',
    '550 5.1.7 Invalid sender address',
    '550 5.1.0 sender rejected : invalid sender domain',
    '550 Sender verify failed',
    '550 Verification failed for <us@ours.com>\nNo Such User Here\nSender verify failed',
    '550 SPF check failed',
    '554 5.7.1 Message rejected under suspicion of SPAM',
    '550 5.7.1 Client does not have permissions to send as this sender; policy',
    '550 Too many invalid recipients',
    '550 5.7.0 Must issue a STARTTLS command first',
    '530 5.7.0 Authentication required',
    '550 HELO name is not a hostname',
    '553 5.7.1 unauthorized',
    '550 Administrative prohibition',
    '550 5.1.2 We do not relay for y.com',
    '550 5.1.1 undeliverable address: host mx.y.com said: 451 4.7.1 Greylisted',
    '550 5.1.1 undeliverable address: host mx.y.com said: 550 5.7.1 blocked using Spamhaus',
    '550 5.1.1 unverified address: Address verification failed',
    '550 5.1.0 Unknown sender domain',
    '553 5.1.2 We are not able to find sender domain',
    '550 Domain of sender address us@ours.com does not exist',
    '550 Sender mailbox unavailable',
    '550 Verification of sender failed: no such user',
    '550 Cannot verify sender address: mailbox not found',
    '550 5.1.1 your host has no rDNS, invalid recipient',
  ])('about us: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('refused');
  });

  it.each([
    '550 Requested action not taken',
    '550 Go away',
    '551 User not local; please try <x@z.com>',
    '554 Transaction failed',
    '501 5.5.4 Syntax error in parameters',
    '503 5.5.1 Error: need MAIL command',
    '550 5.3.0 Rejected',
    "553 sorry, that domain isn't in my list of rcpthosts",
    '599 ?',
    '354 Go ahead',
  ])('unclear: %s', (line) => {
    expect(recipientAnswer(reply(line))).toBe('unclear');
  });

  it.each([
    ['452 4.5.3 Error: too many recipients', 'too_many'],
    ['550 5.5.3 Too many recipients', 'too_many'],
    ['452 4.3.0 Multiple destination domains per transaction is unsupported', 'too_many'],
    ['421 4.7.0 mx.example.com Error: too many errors', 'closing'],
  ])('%s: %s', (line, answer) => {
    expect(recipientAnswer(reply(line))).toBe(answer);
  });
});

describe('sameWords', () => {
  it('looks past addresses and numbers', () => {
    const one = reply('550 <a@y.com> refused (id 4f2a-17)');
    expect(sameWords(one, reply('550 <other.name@y.com> refused (id 99bc-18)'))).toBe(true);
    expect(sameWords(one, reply('550 <a@y.com> blocked (id 4f2a-17)'))).toBe(false);
    expect(sameWords(one, reply('554 <a@y.com> refused (id 4f2a-17)'))).toBe(false);
  });
});
