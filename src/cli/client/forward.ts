/** An event to a program on this machine, as the service posts it: the same body, the same headers, signed the same way. */
import { randomBytes } from 'node:crypto';
import type { Event } from '../../../clients/typescript/src/index.ts';
import { version } from '../../domain/version.ts';
import { signatureHeaders } from '../../providers/webhook-endpoints/signatures.ts';
import { CommandEnd, EXIT, type Io } from '../io.ts';
import { configurationFile, readOrNone, writePrivate } from './credentials.ts';

/** Where it goes, and with what it is signed. */
export interface Target {
  url: string;
  secret: string;
}

export interface Forwarded {
  /** Null: nobody answered, `error` says why. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

const TIMEOUT_MS = 15_000;

/** One POST. A 2xx has `error` null; redirects are not followed. */
export async function forward(event: Event, { url, secret }: Target): Promise<Forwarded> {
  const { id, type, createdAt, mode, resource, data } = event;
  const body = JSON.stringify({ id, type, createdAt, mode, resource, data });
  const begun = Date.now();
  const ended = (status: number | null, error: string | null): Forwarded => ({
    status,
    error,
    durationMs: Date.now() - begun,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `Outreach-Webhooks/${version}`,
        ...signatureHeaders({ secrets: [secret], eventId: id, body }, new Date()),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The connection is free again once the answer was read.
    await response.text().catch(() => '');
    return ended(response.status, response.ok ? null : `it answered ${response.status}`);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return ended(null, name === 'TimeoutError' ? 'no answer within 15 s' : (cause?.code ?? name));
  }
}

const SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,}$/;

/**
 * The secret that events are signed with: OUTREACH_WEBHOOK_SECRET, else one that is made once and kept beside the
 * logins. It is shown nowhere; `file` is where a program finds it.
 */
export async function listeningSecret(
  io: Io,
): Promise<{ secret: string; file: string | undefined }> {
  const given = io.environment['OUTREACH_WEBHOOK_SECRET'];
  if (given) {
    if (SECRET.test(given)) return { secret: given, file: undefined };
    throw new CommandEnd(EXIT.failed, 'OUTREACH_WEBHOOK_SECRET is no secret: whsec_...');
  }
  const file = configurationFile(io, 'webhook-secret');
  if (file === undefined) {
    throw new CommandEnd(EXIT.failed, 'OUTREACH_WEBHOOK_SECRET is not set, and neither is HOME.');
  }
  const kept = (await readOrNone(file))?.trim();
  if (kept !== undefined && SECRET.test(kept)) return { secret: kept, file };
  const secret = `whsec_${randomBytes(32).toString('hex')}`;
  await writePrivate(file, `${secret}\n`);
  return { secret, file };
}
