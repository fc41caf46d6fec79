/** What all SMTP servers of the world share: options, errors with a reply code, faults per step. */
import type { SMTPServerDataStream, SMTPServerOptions } from 'smtp-server';
import type { SandboxCore } from '../core.ts';
import { mishapAt, type Mishap } from './protocol-faults.ts';

export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;

export const SMTP_OPTIONS: SMTPServerOptions = {
  banner: 'ESMTP',
  disableReverseLookup: true,
  hideENHANCEDSTATUSCODES: false,
  logger: false,
  size: MAX_MESSAGE_BYTES,
  // RFC 5321, 4.5.3.2.7: five minutes between commands.
  socketTimeout: 300_000,
};

/** An SMTP reply as an error: `smtpError(550, '5.1.1 ...')`. */
export const smtpError = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

/** The reply code of an error; 451 for any other failure of ours. */
export const replyCode = (error: unknown): number =>
  (error as { responseCode?: number }).responseCode ?? 451;

type Done = (error?: Error | null) => void;

/** Runs a step with the faults of `vendor` applied; never calls `done` where no reply may be sent. */
export async function smtpStep(
  core: SandboxCore,
  vendor: 'smtp' | 'mx',
  step: 'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA',
  { work, done, hangUp }: { work: () => Promise<void>; done: Done; hangUp: () => void },
): Promise<void> {
  const mishap = await mishapAt(core, vendor, step);
  if (mishap === 'reset') return hangUp();
  if (mishap === 'timeout_before_effect') return;
  if (mishap !== undefined && mishap !== 'timeout_after_effect') return done(refusal(mishap));
  try {
    await work();
  } catch (error) {
    if (mishap === undefined) done(smtpError(replyCode(error), (error as Error).message));
    return;
  }
  if (mishap === undefined) done(null);
}

function refusal(mishap: Exclude<Mishap, 'reset'>): Error {
  if (mishap === 'auth') return smtpError(535, '5.7.8 Authentication failed');
  if (mishap === 'rejected') return smtpError(554, '5.7.1 Transaction refused by policy');
  if (mishap === 'rate_limited') return smtpError(450, '4.7.1 Too many messages, slow down');
  return smtpError(451, '4.3.0 Temporary system problem, try again later');
}

/** The message as it came, with CRLF; 552 when it is too big. */
export async function readMessage(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw smtpError(552, '5.3.4 Message too big for system');
  return Buffer.concat(chunks);
}
