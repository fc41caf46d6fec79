/** What the tests do with mailboxes of real hosts: log in, send messages and look for them. */
import { randomBytes } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { eventually } from '../e2e/account.ts';
import type { LabWorld } from './lab-world.ts';

export interface Mailbox {
  id: number;
  host: string;
  email: string;
  password: string;
}

interface Accepted {
  subject: string;
  raw: string;
}

export interface Correspondence {
  /** How submission and IMAP answer a login: the kind of the refusal, or `let in`. */
  logins(mailbox: Mailbox): Promise<unknown[]>;
  /** Submits a message, and gives the subject by which it is found. */
  send(from: Mailbox, to: string): Promise<string>;
  /** The message as IMAP shows it, once it is there. */
  received(by: Mailbox, subject: string): Promise<string>;
  /** The message as an exchanger outside got it, once it has. */
  acceptedOutside(subject: string): Promise<string>;
  /** What an independent library says of the signatures, with the keys found in the world's DNS. */
  signatures(raw: string): Promise<unknown>;
}

export const correspondence = (lab: LabWorld): Correspondence => ({
  async logins(mailbox) {
    const { transport } = lab;
    // Both at once: Dovecot answers each wrong password later than the one before it.
    const both = [transport.checkSubmission(mailbox), transport.checkImap(mailbox)];
    const logins = await Promise.allSettled(both);
    return logins.map((login) => (login.status === 'rejected' ? login.reason.kind : 'let in'));
  },
  async send(from, to) {
    const subject = `Real ${randomBytes(4).toString('hex')}`;
    const messageId = `<${randomBytes(8).toString('hex')}@${from.email.split('@')[1]}>`;
    const message = { to, subject, text: 'From a server that is real.', messageId };
    const { reply } = await lab.transport.submit(from, message);
    if (!reply.startsWith('250 ')) throw new Error(`The message was not taken: ${reply}`);
    return subject;
  },
  received: (by, subject) =>
    eventually(`"${subject}" in ${by.email}`, async () => {
      const session = await lab.transport.openImap(by);
      try {
        const range = { afterUid: 0, maxBytes: 100_000, batch: 20 };
        for await (const messages of session.fetchNew('INBOX', range)) {
          const found = messages.map(({ source }) => source.toString('latin1'));
          const message = found.find((text) => text.includes(subject));
          if (message !== undefined) return message;
        }
        return undefined;
      } finally {
        await session.close();
      }
    }),
  acceptedOutside: (subject) =>
    eventually(`"${subject}" at the exchanger outside`, async () => {
      const books = await lab.world.control<{ mail: { accepted: Accepted[] } }>(
        'GET',
        '/books?raw=1',
      );
      return books.mail.accepted.find((message) => message.subject === subject)?.raw;
    }),
  async signatures(raw) {
    const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), { resolver: lab.resolve });
    return results.map(({ signingDomain, status }) => ({ signingDomain, result: status.result }));
  },
});
