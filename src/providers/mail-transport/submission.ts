/** SMTP submission over TLS on 465 (RFC 8314): login checks and single letters. */
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderError } from '../../domain/errors.ts';
import { addressOf, dial } from '../network.ts';
import { loginRefused, PROVIDER, unavailable } from './failures.ts';
import type { TransportTools } from './index.ts';
import type { MailboxAccess, OutgoingLetter } from './port.ts';

const SUBMISSION_PORT = 465;

/** The parts of nodemailer's errors that are looked at. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

export async function checkSubmission(
  tools: TransportTools,
  mailbox: MailboxAccess,
): Promise<void> {
  await inSession(tools, mailbox, async () => undefined).catch((error: unknown) => {
    throw error instanceof ProviderError ? error : unavailable(whereOf(mailbox), error);
  });
}

/** `outcome_unknown` when the letter was on its way and no reply came: it may be delivered. */
export async function submit(
  tools: TransportTools,
  mailbox: MailboxAccess,
  letter: OutgoingLetter,
): Promise<{ reply: string }> {
  const composed = new MailComposer({ from: mailbox.email, ...letter }).compile();
  const bytes = await composed.build();
  let isOnItsWay = false;
  // Read only after the server's 354.
  const content = Readable.from(
    (function* () {
      isOnItsWay = true;
      yield bytes;
    })(),
  );
  const envelope = { from: mailbox.email, to: [letter.to] };
  const send = (connection: SMTPConnection) =>
    new Promise<{ reply: string }>((resolve, reject) => {
      connection.send(envelope, content, (error, result) => {
        if (error) reject(error);
        else resolve({ reply: result.response });
      });
    });
  return inSession(tools, mailbox, send).catch((error: unknown) => {
    if (error instanceof ProviderError) throw error;
    throw letterFailed(mailbox, error as SmtpError, isOnItsWay);
  });
}

/** Connects, logs in, does the work and leaves politely. Errors of `work` come out as they are. */
async function inSession<T>(
  tools: TransportTools,
  mailbox: MailboxAccess,
  work: (connection: SMTPConnection) => Promise<T>,
): Promise<T> {
  const ipv4 = await addressOf(PROVIDER, tools.dns, mailbox.host);
  const target = { provider: PROVIDER, ipv4, port: SUBMISSION_PORT };
  const limits = { proxy: tools.outboundProxy, timeoutMs: tools.timeoutMs };
  const connection = new SMTPConnection({
    connection: await dial({ ...target, ...limits }),
    host: mailbox.host,
    servername: mailbox.host,
    secure: true,
    name: mailbox.email.slice(mailbox.email.indexOf('@') + 1),
    connectionTimeout: tools.timeoutMs,
    greetingTimeout: tools.timeoutMs,
    socketTimeout: tools.timeoutMs,
  });
  try {
    // One listener for the whole session: an error between two commands ends it.
    const broken = new Promise<never>((_resolve, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(new Error('the server hung up')));
    });
    const session = async () => {
      await new Promise<void>((resolve) => connection.connect(() => resolve()));
      await logIn(connection, mailbox);
      return work(connection);
    };
    const running = session();
    // Whichever loses the race has nobody else to listen to it.
    running.catch(() => undefined);
    const outcome = await Promise.race([running, broken]);
    connection.quit();
    return outcome;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function logIn(connection: SMTPConnection, mailbox: MailboxAccess): Promise<void> {
  const credentials = { user: mailbox.email, pass: mailbox.password };
  return new Promise((resolve, reject) => {
    connection.login({ credentials }, (error) => {
      const { code, responseCode } = (error ?? {}) as SmtpError;
      if (!error) resolve();
      // 454 is "temporary authentication failure" (RFC 4954).
      else if (code === 'EAUTH' && responseCode !== undefined && responseCode >= 500) {
        reject(loginRefused(whereOf(mailbox), String(responseCode)));
      } else reject(unavailable(whereOf(mailbox), error));
    });
  });
}

function letterFailed(
  mailbox: MailboxAccess,
  error: SmtpError,
  isOnItsWay: boolean,
): ProviderError {
  const where = whereOf(mailbox);
  const { responseCode, response = '' } = error;
  if (responseCode !== undefined && responseCode >= 500) {
    const providerCode = String(responseCode);
    const message = `${PROVIDER}: ${where} refuses the letter: ${response}`;
    return new ProviderError('rejected', message, { provider: PROVIDER, providerCode });
  }
  if (!isOnItsWay || responseCode !== undefined) return unavailable(where, error);
  return new ProviderError('outcome_unknown', `${PROVIDER}: no reply of ${where} to a letter`, {
    provider: PROVIDER,
    providerCode: error.code ?? 'unknown',
  });
}

const whereOf = (mailbox: MailboxAccess) => `submission at ${mailbox.host}`;
