/** SMTP submission over TLS (RFC 8314): a connection that stays open for many messages. */
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderError } from '../../domain/errors.ts';
import { storable } from '../../domain/storable-text.ts';
import { traced, type SpanOptions } from '../../tracing/spans.ts';
import { dial } from '../network.ts';
import { BY_TOKEN, isOver, smtpTokenLogin, withToken } from './access-token.ts';
import { calledAddress } from './called-address.ts';
import { loginRefused, PROVIDER, unavailable } from './failures.ts';
import { reachable } from './international-addresses.ts';
import type { MailboxAccess, RawMessage, RelayAccess, SubmissionSession } from './port.ts';
import type { CallTools } from './tls-sessions.ts';

const SUBMISSION_PORT = 465;
/** RFC 4954, 6. */
const REFUSED_CODE = '535';

/** The fields of nodemailer's errors that are used. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

/** Port: `MailTransport.openSubmission`. */
export function openSubmission(
  tools: CallTools,
  { host, email, password, servers }: MailboxAccess,
): Promise<SubmissionSession> {
  const name = email.slice(email.indexOf('@') + 1);
  if (servers === undefined) {
    const access = { host, port: SUBMISSION_PORT, user: email, password, isTls: true, name };
    return openRelay(tools, { ...access, mustBe: 'outside' });
  }
  const { smtp, username: user, oauth: grant } = servers;
  const isTls = smtp.tls === 'tls';
  const access = { ...smtp, user, password, isTls, name, mustBe: 'public' as const };
  const place = { where: whereOf(access), refusedCode: REFUSED_CODE, grant };
  return withToken(tools, place, (token) => openRelay(tools, { ...access, token }));
}

/** Port: `MailTransport.openRelay`. */
export async function openRelay(tools: CallTools, access: RelayAccess): Promise<SubmissionSession> {
  const connection = await traced('SMTP connect', spanOf(access), () => connect(tools, access));
  const where = whereOf(access);
  let isUsable = true;
  let isBusy = false;
  let hasOpenTransaction = false;
  const over = () => void (isUsable = false);
  connection.on('error', over);
  connection.once('end', over);
  const sendNext = async (message: RawMessage, beforeText: () => Promise<void>) => {
    const { to, refused } = reachable(connection, where, message.to);
    isBusy = true;
    try {
      // After a refused recipient the transaction is still open: RFC 5321, 4.1.1.5.
      if (hasOpenTransaction) await reset(connection, where);
      hasOpenTransaction = true;
      const sent = await traced('SMTP send', spanOf(access), () =>
        sendOne({ connection, where }, { ...message, to }, beforeText),
      );
      hasOpenTransaction = false;
      return { ...sent, refused: [...refused, ...sent.refused] };
    } finally {
      isBusy = false;
    }
  };
  let previous: Promise<unknown> = Promise.resolve();
  return {
    send(message, beforeText) {
      const sent = previous.then(() => sendNext(message, beforeText));
      previous = sent.catch(() => undefined);
      return sent;
    },
    isUsable: () => isUsable && !isOver(access.token),
    close() {
      if (isUsable && !isBusy) connection.quit();
      else connection.close();
      isUsable = false;
    },
  };
}

/** One message. Its text is read by nodemailer only after the server's 354. */
async function sendOne(
  { connection, where }: { connection: SMTPConnection; where: string },
  message: RawMessage,
  beforeText: () => Promise<void>,
): Promise<{ reply: string; refused: readonly string[] }> {
  const recipients = typeof message.to === 'string' ? [message.to] : [...message.to];
  let asked: Promise<void> | undefined;
  let refusal: { error: unknown } | undefined;
  let isOver = false;
  let isTextBegun = false;
  const ask = async () => {
    await beforeText().catch((error: unknown) => {
      refusal = { error };
      // Without the final dot the server has no message: RFC 5321, 4.1.1.4.
      connection.close();
    });
  };
  const content = new Readable({
    read() {
      if (asked) return;
      asked = ask();
      void asked.then(() => {
        // An unfinished stream sends no final dot.
        if (refusal || isOver) return void content.destroy();
        isTextBegun = true;
        content.push(message.raw);
        content.push(null);
      });
    },
  });
  try {
    return await new Promise((resolve, reject) => {
      // nodemailer's own error, if any, follows in the same tick and says more.
      const ended = () => setImmediate(() => settle(new Error('the connection was closed')));
      const settle = (
        error: Error | null,
        result?: { response: string; rejected: readonly string[] },
      ) => {
        isOver = true;
        connection.off('end', ended);
        if (error) reject(error);
        // A foreign program's words, which all who send store: one NUL would lose the results of a batch.
        else resolve({ reply: storable(result?.response ?? ''), refused: result?.rejected ?? [] });
      };
      connection.once('end', ended);
      connection.send({ from: message.from, to: recipients }, content, (error, result) =>
        settle(error, result),
      );
    });
  } catch (error) {
    // Its decision must be known before the caller hears that the text was not begun.
    await asked;
    if (refusal) throw refusal.error;
    throw messageFailed(where, error as SmtpError, isTextBegun);
  }
}

/** A reply decides by its code alone; without a reply it matters whether the text was begun. */
function messageFailed(where: string, error: SmtpError, isTextBegun: boolean): ProviderError {
  const { responseCode, response = '' } = error;
  if (responseCode !== undefined && responseCode >= 400) {
    const enhanced = /^\d{3}[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
    const providerCode = enhanced ? `${responseCode} ${enhanced}` : String(responseCode);
    const facts = { provider: PROVIDER, providerCode, reply: storable(response) };
    if (responseCode < 500) {
      return new ProviderError('rate_limited', `${PROVIDER}: ${where} defers the message`, facts);
    }
    return new ProviderError('rejected', `${PROVIDER}: ${where} refuses the message`, facts);
  }
  if (!isTextBegun) return unavailable(where, error);
  return new ProviderError('outcome_unknown', `${PROVIDER}: no reply of ${where} to a message`, {
    provider: PROVIDER,
    providerCode: error.code ?? 'unknown',
  });
}

function reset(connection: SMTPConnection, where: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const broken = (error: unknown) => {
      connection.close();
      reject(unavailable(where, error));
    };
    const ended = () => broken(new Error('the server hung up'));
    connection.once('end', ended);
    connection.reset((error) => {
      connection.off('end', ended);
      if (error) broken(error);
      else resolve();
    });
  });
}

async function connect(tools: CallTools, access: RelayAccess): Promise<SMTPConnection> {
  const ipv4 = await calledAddress(tools, access);
  const target = { provider: PROVIDER, ipv4, port: access.port };
  const limits = { proxy: tools.outboundProxy, timeoutMs: tools.timeoutMs };
  const secured = tools.tlsSessions.callOf(access);
  const connection = new SMTPConnection({
    connection: await dial({ ...target, ...limits }),
    host: access.host,
    servername: access.host,
    secure: access.isTls,
    requireTLS: !access.isTls,
    tls: { servername: access.host, ...secured.options },
    name: access.name,
    connectionTimeout: tools.timeoutMs,
    greetingTimeout: tools.timeoutMs,
    socketTimeout: tools.timeoutMs,
    socketCloseTimeout: tools.timeoutMs,
    customAuth: { [BY_TOKEN]: smtpTokenLogin },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.once('end', () => reject(new Error('the server hung up')));
      const failed = (error: unknown) => reject(error as Error);
      connection.connect((error) => {
        if (error) return failed(error);
        logIn(connection, access).then(resolve, failed);
      });
    });
    secured.keep(connection._socket);
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof ProviderError) throw error;
    secured.forget();
    throw unavailable(whereOf(access), error);
  }
}

function logIn(connection: SMTPConnection, access: RelayAccess): Promise<void> {
  const { user, password, token } = access;
  const credentials = { user, pass: token?.value ?? password };
  const login = { credentials, ...(token && { method: BY_TOKEN }) };
  return new Promise((resolve, reject) => {
    connection.login(login, (error) => {
      const { code, responseCode, response } = (error ?? {}) as SmtpError;
      if (!error) resolve();
      // 454 is "temporary authentication failure" (RFC 4954).
      else if (code === 'EAUTH' && responseCode !== undefined && responseCode >= 500) {
        reject(loginRefused(whereOf(access), String(responseCode), response));
      } else reject(unavailable(whereOf(access), error));
    });
  });
}

/** Neither the mailbox nor the recipients. */
const spanOf = ({ host, port }: RelayAccess): SpanOptions => ({
  kind: 'CLIENT',
  attributes: { 'server.address': host, 'server.port': port },
});

const whereOf = ({ host }: RelayAccess) => `submission at ${host}`;
