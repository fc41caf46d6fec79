/** Looks into seed mailboxes for a mailbox's letters: in the inbox, or among spam. */
import { withLease } from '../../src/db/leases.ts';
import type { WarmupLetter } from '../../src/db/warmup/warmup-letters.ts';
import { listUnplacedLetters, notePlacement } from '../../src/db/warmup/warmup-placements.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { SeedMailbox } from '../../src/domain/warmup/seed-mailboxes.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import type { WarmupMailbox, WarmupRound } from './round.ts';

/** Somebody else is looking into it: providers count connections. */
class SeedBusy extends Error {}

/**
 * Logs in only where a letter is expected, and changes nothing there: a seed that trained its filter
 * would measure its own doing. A seed that cannot be read is asked the next time.
 */
export async function measurePlacement(round: WarmupRound, mailbox: WarmupMailbox): Promise<void> {
  const { context, mailboxId } = round;
  const { db, config, logger } = context;
  const seeds = config.WARMUP_SEED_MAILBOXES;
  if (seeds.length === 0) return;
  const lookMs = sendingDaysMs(WARMUP_RULES.lookDays, config.DAY_SECONDS);
  const since = new Date(mailbox.now.getTime() - lookMs);
  const addresses = seeds.map(({ email }) => email);
  const letters = await listUnplacedLetters(db, mailboxId, { seeds: addresses, since });
  for (const seed of seeds) {
    const own = letters.filter(({ to_address: to }) => to === seed.email);
    if (own.length === 0) continue;
    round.signal.throwIfAborted();
    const turn = { name: `warmup seed ${seed.email}`, waitMs: 0, busy: () => new SeedBusy() };
    try {
      await withLease(db, turn, () => lookInto(round, seed, own));
    } catch (error) {
      if (error instanceof SeedBusy) continue;
      if (!(error instanceof ProviderError)) throw error;
      const { kind } = error;
      logger.warn({ seed: seed.email, kind }, 'warm-up cannot read a seed mailbox');
    }
  }
}

async function lookInto(
  { context: { db, clock, mailTransport }, signal }: WarmupRound,
  seed: SeedMailbox,
  letters: WarmupLetter[],
): Promise<void> {
  const session = await mailTransport.openImap(seed);
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
      for (const letter of letters) {
        signal.throwIfAborted();
        const header = { name: 'Message-ID', value: letter.message_id };
        if ((await session.search(place.path, header)).length === 0) continue;
        await notePlacement(db, letter.id, { in: place.in, at: clock.now() });
      }
    }
  } finally {
    await session.close();
  }
}
