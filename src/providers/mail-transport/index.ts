/**
 * Mail clients like those of users: nodemailer's SMTP connection on 465, imapflow on 993. Names are
 * resolved by `DNS_SERVERS`, the literal address is dialled (through the proxy, where there is one),
 * and the certificate is checked against the name.
 */
import { checkImap } from './imap-client.ts';
import { openImap } from './imap-session.ts';
import { compose } from './mime.ts';
import type { MailTransport, TransportTools } from './port.ts';
import { checkTls } from './tls-check.ts';
import { checkSubmission, submit } from './submission.ts';
import { openRelay, openSubmission } from './submission-session.ts';
import { createTlsSessions, type CallTools } from './tls-sessions.ts';

/** Throws only ProviderError: `rejected` for a refused login or message, else `unavailable`. */
export function createMailTransport(given: TransportTools): MailTransport {
  const tools: CallTools = { ...given, tlsSessions: createTlsSessions(given.ca) };
  return {
    compose,
    checkSubmission: (mailbox) => checkSubmission(tools, mailbox),
    checkImap: (mailbox) => checkImap(tools, mailbox),
    checkTls: (server) => checkTls(tools, server),
    openSubmission: (mailbox) => openSubmission(tools, mailbox),
    openRelay: (relay) => openRelay(tools, relay),
    openImap: (mailbox, options) => openImap(tools, mailbox, options),
    submit: (mailbox, message) => submit(tools, mailbox, message),
  };
}
