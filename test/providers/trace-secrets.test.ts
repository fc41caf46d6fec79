/** What of a call to a vendor, a mail host or a website may stand in its span, and what never does. */
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ProviderError } from '../../src/domain/errors.ts';
import { createJsonClient } from '../../src/providers/http-client.ts';
import { traced } from '../../src/tracing/spans.ts';
import { startSmtpScript } from '../support/mail/smtp-script.ts';
import { startJsonServer } from '../support/tools/json-server.ts';
import { recordSpans, type RecordedSpan } from '../support/tracing/recorded-spans.ts';

const CANARY = 'canary-a1b2c3';

let spans: RecordedSpan[];
let text: string;

beforeAll(async () => {
  const recording = await recordSpans();
  await traced('test', { parent: 'root' }, async () => {
    await callVendor();
    await sendMessage();
  });
  spans = await recording.stop();
  text = recording.text();
});

async function callVendor() {
  const server = await startJsonServer();
  const client = createJsonClient({
    provider: 'vendor',
    baseUrl: `${server.url}/v2`,
    headers: { authorization: `Bearer ${CANARY}` },
    secrets: [CANARY],
    timeoutMs: 5_000,
    refused: ({ body }) =>
      new ProviderError('auth', JSON.stringify(body), { provider: 'vendor', providerCode: CANARY }),
  });
  server.answer = () => ({ status: 401, body: { message: `no such key: ${CANARY}` } });
  const call = {
    method: 'POST',
    path: `/mailboxes/${CANARY}@client.test/rotate`,
    query: { key: CANARY },
    body: { password: CANARY },
    headers: { 'x-key': CANARY },
    repeatable: true,
    answer: z.object({}),
  } as const;
  await expect(client.send(call)).rejects.toThrow('no such key');
  server.close();
}

async function sendMessage() {
  const script = await startSmtpScript();
  script.twist = (step) => (step === 'TEXT' ? { reply: `550 5.7.1 ${CANARY}` } : undefined);
  const mailbox = { host: 'mail.host.test', email: `${CANARY}@host.test`, password: CANARY };
  const session = await script.transport.openSubmission(mailbox);
  const raw = Buffer.from(`Subject: ${CANARY}\r\n\r\n${CANARY}\r\n`);
  const message = { from: mailbox.email, to: `${CANARY}@client.test`, raw };
  await expect(session.send(message, async () => undefined)).rejects.toThrow('refuses');
  session.close();
  await script.close();
}

it('tells what was called and how it ended', () => {
  const told = spans.map(({ name, error }) => [name, error]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['vendor POST', '401'],
      ['SMTP connect', undefined],
      ['SMTP send', 'rejected'],
    ]),
  );
  const call = spans.find(({ name }) => name === 'vendor POST');
  expect(call!.attributes['url.template']).toBe('/v2/mailboxes/:id/rotate');
});

it('never tells a secret, an address, a query, a header, a body or words of an error', () => {
  expect(text).not.toContain(CANARY);
  expect(text).not.toMatch(/@|\?/);
});
