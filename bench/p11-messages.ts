/** The messages of P11, rendered in advance, for the pool that is compared. */
import { renderMessage } from '../src/domain/sending/message-content.ts';
import type { PoolMessage } from './baselines/nodemailer-pool.ts';

/** `count` messages from so many mailboxes, as a round renders them. */
export function renderedMessages({
  body,
  count,
  mailboxes,
}: {
  body: string;
  count: number;
  mailboxes: number;
}): PoolMessage[] {
  const step = {
    position: 0,
    delayDays: 0,
    subjectTemplate: 'Hello {{firstName}}',
    bodyTemplate: body,
    variants: [],
  };
  return Array.from({ length: count }, (_, n) => {
    const address = `m${1 + (n % mailboxes)}@bench.test`;
    const { subject, text, html, headers } = renderMessage({
      step,
      variant: 0,
      seed: { campaignId: 1, leadId: n, position: 0 },
      recipient: { firstName: `P${n}`, lastName: 'Test', email: `p${n}@client-${n}.test` },
      sender: { name: 'Ann Example', email: address, postalAddress: '1 Main Street, Springfield' },
      links: {
        unsubscribeUrl: `https://outreach.test/u/${'x'.repeat(31)}${n}`,
        unsubscribeToken: `${'x'.repeat(31)}${n}`,
      },
      language: 'en',
      thread: null,
    });
    return {
      from: { name: 'Ann Example', address },
      envelopeFrom: address.replace('@', `+b${n}@`),
      to: `p${n}@client-${n}.test`,
      subject,
      text,
      html: html!,
      messageId: `<${'x'.repeat(27)}${n}@bench.test>`,
      headers: { ...headers },
    };
  });
}
