/** Checks in seed mailboxes where a mailbox's messages landed: in the inbox, or in spam. */
import { withLease } from '../../src/db/leases.ts';
import type { WarmupMessage } from '../../src/db/warmup/warmup-messages.ts';
import { listUnplacedMessages, notePlacement } from '../../src/db/warmup/warmup-placements.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { SeedMailbox } from '../../src/domain/warmup/seed-mailboxes.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import type { WarmupMailbox, WarmupSession } from './warmup-mailbox.ts';

/** Another worker is reading this seed: providers limit connections. */
class SeedBusy extends Error {}

/**
 * Logs in only where a message is expected, and changes nothing there: a seed that trained its filter
 * would distort what it measures. A seed that cannot be read is read the next time.
 */
export async function measurePlacement(
  warmupSession: WarmupSession,
  mailbox: WarmupMailbox,
): Promise<void> {
  const { context, mailboxId, left, leaseDb: renewBy } = warmupSession;
  const { db, config, logger } = context;
  const seeds = config.WARMUP_SEED_MAILBOXES;
  if (seeds.length === 0) return;
  const lookMs = sendingDaysMs(WARMUP_RULES.lookDays, config.DAY_SECONDS);
  const since = new Date(mailbox.now.getTime() - lookMs);
  const addresses = seeds.map(({ email }) => email);
  const messages = await listUnplacedMessages(db, mailboxId, { seeds: addresses, since });
  for (const seed of seeds) {
    const own = messages.filter(({ to_address: to }) => to === seed.email);
    if (own.length === 0) continue;
    warmupSession.signal.throwIfAborted();
    const name = `warmup seed ${seed.email}`;
    const lease = { name, waitMs: 0, busy: () => new SeedBusy(), left, renewBy };
    try {
      await withLease(db, lease, () => searchIn(warmupSession, seed, own));
    } catch (error) {
      if (error instanceof SeedBusy) continue;
      if (!(error instanceof ProviderError)) throw error;
      const { kind } = error;
      logger.warn({ seed: seed.email, kind }, 'warm-up cannot read a seed mailbox');
    }
  }
}

async function searchIn(
  { context: { db, clock, mailTransport }, signal }: WarmupSession,
  seed: SeedMailbox,
  messages: WarmupMessage[],
): Promise<void> {
  const session = await mailTransport.openImap({ ...seed, isOperators: true });
  try {
    const folders = await session.folders();
    const inbox = folders.find(({ role }) => role === 'inbox')?.path ?? 'INBOX';
    const junk = folders.filter(({ role }) => role === 'junk');
    const places = [
      ...junk.map(({ path }) => ({ path, in: 'spam' as const })),
      { path: inbox, in: 'inbox' as const },
    ];
    for (const place of places) {
      await session.open(place.path);
      for (const message of messages) {
        signal.throwIfAborted();
        const header = { name: 'Message-ID', value: message.message_id };
        if ((await session.search(place.path, header)).length === 0) continue;
        await notePlacement(db, message.id, { in: place.in, at: clock.now() });
      }
    }
  } finally {
    await session.close();
  }
}
