/** Notifies accounts by e-mail that an endpoint of theirs was disabled, where a relay is configured. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { claimNotice, endNotice, type DueNotice } from '../../src/db/webhooks/webhook-notices.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { parseRelay, type Relay } from '../../src/domain/clusters/smarthost.ts';
import { STEP_MS, within } from '../engine/time-limit.ts';
import { disabledNotice } from '../../src/domain/webhooks/webhook-notice.ts';

export type NoticeContext = Pick<Context, 'db' | 'clock' | 'config' | 'logger' | 'mailTransport'>;

const EVERY_MS = 10_000;

/** Runs until the signal fires; off without a relay. Failures are retried the next time. */
export async function sendNotices(context: NoticeContext, signal: AbortSignal): Promise<void> {
  if (parseRelay(context.config.NOTIFY_SMTP_URL ?? '') === undefined) return;
  while (!signal.aborted) {
    await sendDueNotices(context, signal).catch((err: unknown) => {
      context.logger.warn({ err }, 'an account could not be told of its endpoint yet');
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** One by one; stops at the first that the relay does not accept now. */
export async function sendDueNotices(
  context: NoticeContext,
  signal?: AbortSignal,
  stepMs: number = STEP_MS,
): Promise<void> {
  const { config } = context;
  const { NOTIFY_SMTP_URL = '', NOTIFY_FROM: from } = config;
  const relay = parseRelay(NOTIFY_SMTP_URL);
  if (!relay || from === undefined) return;
  const next = () => within(stepMs, sendNext(context, { ...relay, from }));
  while (!signal?.aborted && (await next()));
}

/** False where none is due. */
async function sendNext(context: NoticeContext, relay: Relay & { from: string }): Promise<boolean> {
  const { db, clock, logger } = context;
  const notice = await claimNotice(db, clock.now());
  if (!notice) return false;
  try {
    await send(context, notice, relay);
  } catch (err) {
    if (!isOver(err)) throw err;
    logger.warn({ err, webhookId: notice.id }, 'an account was not told of its endpoint');
  }
  await endNotice(db, notice, clock.now());
  return true;
}

/** Refused for good, or possibly sent: another attempt would not help. */
const isOver = (err: unknown): boolean =>
  err instanceof ProviderError && (err.kind === 'outcome_unknown' || isRefusedMessage(err));

/** The refusal is a reply to the message; a refused login has no reply, and an operator may fix it. */
const isRefusedMessage = ({ kind, facts }: ProviderError): boolean =>
  kind === 'rejected' && facts.reply !== undefined;

async function send(
  { config, clock, mailTransport }: NoticeContext,
  notice: DueNotice,
  { from, ...relay }: Relay & { from: string },
): Promise<void> {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const raw = await mailTransport.compose({
    from: { address: from, name: 'Outreach' },
    to: notice.email,
    ...disabledNotice(notice, config.PUBLIC_URL),
    // Stable across retries.
    messageId: `<webhook-${notice.id}-${notice.disabledAt.getTime()}@${domain}>`,
    date: clock.now(),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  const session = await mailTransport.openRelay({ ...relay, name: domain });
  try {
    await session.send({ from, to: notice.email, raw }, async () => undefined);
  } finally {
    session.close();
  }
}
