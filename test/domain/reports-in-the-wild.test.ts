/** Reports that keep no standard, as large providers and old hosts send them. */
import { expect, it } from 'vitest';
import { classOf } from '../support/inbox/score-messages.ts';

const OURS = 'From: Anna Weber <anna@mail.acme-outreach.test>';
const ID = '<o.7f3a9c51@mail.acme-outreach.test>';
const original = (from = OURS) =>
  `${from}\nTo: pat@lead.example\nSubject: A question\nMessage-ID: ${ID}\n`;

const report = (subject: string, body: string, head = '') =>
  classOf(
    `Return-Path: <>\nFrom: staff@box.example\nTo: anna@mail.acme-outreach.test\nSubject: ${subject}\n${head}MIME-Version: 1.0\n${body}`,
  );

const text = (words: string) => `Content-Type: text/plain; charset=utf-8\n\n${words}\n`;

const attached = (from?: string) =>
  `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nA user has marked the attached message as junk.\n--b\nContent-Type: message/rfc822\n\n${original(from)}\nHello\n--b--\n`;

it('takes reports of the Junk Mail Reporting Program for complaints', async () => {
  const subject = 'complaint about message from 192.0.2.10';
  expect(await report(subject, attached())).toBe('complaint');
  expect(await report('Your order', attached())).not.toBe('complaint');
});

it('blames nobody for a message of somebody else', async () => {
  const subject = 'complaint about message from 192.0.2.10';
  expect(await report(subject, attached('From: Eve <eve@evil.example>'))).toBe('needs_review');
});

it('takes reports of SpamCop, and complaints that hosters pass on, by the headers they repeat', async () => {
  const words = `[ Offending message ]\n\n${original()}\nHello`;
  expect(await report('[SpamCop (192.0.2.10) id:7731]A question', text(words))).toBe('complaint');
  const quoted = `Bitte nehmen Sie Stellung.\n\n> ${original().trim().replaceAll('\n', '\n> ')}`;
  expect(await report('[Abuse-ID 25] Spam-Beschwerde zu 192.0.2.10', text(quoted))).toBe(
    'complaint',
  );
});

it('leaves a person who complains in an answer among those who write', async () => {
  const words = `This is a spam complaint, stop it.\n\n> ${original().trim().replaceAll('\n', '\n> ')}`;
  const answers = `In-Reply-To: ${ID}\n`;
  expect(await report('Re: spam complaint', text(words), answers)).not.toBe('complaint');
  expect(await report('Spam complaint', text('You send spam.'))).not.toBe('complaint');
});

it('takes bounces, answers and what is handed on for no complaints, whatever our subject is about', async () => {
  const about = 'From: Anna Weber <anna@mail.acme-outreach.test>';
  for (const subject of [
    'Undeliverable: Spam report for acme.com',
    'Fwd: Spam report for acme.com',
    'WG: Spam report for acme.com',
    'Re: Spam report for acme.com',
  ]) {
    expect(await report(subject, attached(about))).not.toBe('complaint');
  }
  const own = await classOf(
    `From: anna@mail.acme-outreach.test\nTo: anna@mail.acme-outreach.test\nSubject: Spam report?\nMIME-Version: 1.0\n${attached()}`,
  );
  expect(own).not.toBe('complaint');
  const asked = attached().replace('Subject: A question', 'Subject: Spam report for acme.com');
  expect(await report('Spam report for acme.com', asked)).not.toBe('complaint');
});

it('knows the recipient behind an alias whose other end has failed', async () => {
  const bounce = (behind: string) =>
    report(
      'Mail delivery failed: returning message to sender',
      `Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\n  old@isp.example\n    (generated from ${behind})\n    550 5.2.1 This account has been closed\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.lead.example\n\nAction: failed\nFinal-Recipient: rfc822;old@isp.example\nStatus: 5.2.1\n--b\nContent-Type: text/rfc822-headers\n\n${original()}\n--b--\n`,
    );
  expect(await bounce('pat@lead.example')).toBe('bounce');
  expect(await bounce('sam@other.example')).toBe('forged_bounce');
});

it('finds our Message-ID in the words of a host that returns nothing', async () => {
  const words = (id: string) =>
    text(
      `Le message n'a pas pu être remis au destinataire suivant :\n\n  pat@lead.example\n\nCause : 552 5.2.2 quota dépassé\nIdentifiant : ${id}`,
    );
  const subject = 'Message non remis';
  expect(await report(subject, words(ID))).toBe('bounce');
  expect(await report(subject, words('<o.1@other.example>'))).toBe('forged_bounce');
});
