/** A seed whose earlier look was broken off gets the next message once it has shown the earlier one. Choice 124. */
import type { PlacementMessage } from '../../src/db/placement/placement-messages.ts';
import type { SeedLogin } from '../../src/db/placement/placement-seeds.ts';
import { listUnseen, noteShown, type UnseenMessage } from '../../src/db/placement/seed-proof.ts';
import { inImap, placeOf } from './find-messages.ts';
import type { TestTurn } from './test-turn.ts';

/** Messages of earlier tests to the seed of this one, of which nothing is known. */
export const earlierMessages = (
  { context: { db }, test }: TestTurn,
  { address }: PlacementMessage,
): Promise<UnseenMessage[]> => listUnseen(db, { userId: test.user_id, address, testId: test.id });

/** Proves that the seed can be read, and looks for what was sent to it before. Throws where it cannot be read. */
export async function readBefore(
  turn: TestTurn,
  { access }: SeedLogin,
  { message, late }: { message: PlacementMessage; late: AbortSignal },
): Promise<void> {
  const { db, clock, mailTransport } = turn.context;
  const earlier = await earlierMessages(turn, message);
  if (earlier.length === 0) return mailTransport.checkImap(access);
  await inImap(turn, { access, late }, async (imap) => {
    for (const { id, messageId } of earlier) {
      if (!(await placeOf(imap, messageId))) continue;
      await noteShown(db, id, clock.now());
      return;
    }
  });
}
