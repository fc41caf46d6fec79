/** A second start on the same state: soon there, and nothing forgotten. */
import { expect, test } from 'vitest';
import { accountOf, fundedAccount, newDomain, type Account, type Cluster } from './account.ts';
import { createMailbox, readSubjects, sendMessage, type Mailbox } from './mail.ts';
import { START_MS, type shareWorld } from './shared-world.ts';

/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;

/** The aim is 5 s on a quiet machine; beside other tests it has been more than twice that. */
const ANSWERS_WITHIN_MS = 60_000;

export function secondStartTests(shared: ReturnType<typeof shareWorld>): {
  prepare(): void;
  check(): void;
} {
  let earlier: { account: Account; cluster: Cluster; mailbox: Mailbox };
  return {
    prepare() {
      test('a mailbox of a fresh cluster gets a message', async () => {
        const world = shared.current;
        const account = await fundedAccount(world, 'keeper', PRICE_CENTS);
        const { id } = await account.order(newDomain('keeper'));
        const cluster = await account.settled(id);
        expect(cluster.status).toBe('active');
        const mailbox = await createMailbox(world, account, cluster, 'keeper');
        await sendMessage(world, { from: mailbox, to: mailbox, subject: 'Keep this' });
        earlier = { account, cluster, mailbox };
      });
    },
    check() {
      test(
        'a second start answers soon and has everything of before',
        async () => {
          await shared.restart();
          const { running } = shared.current;
          console.log(`Second start: API answers after ${running.apiAfterMs()} ms`);
          expect(running.apiAfterMs()).toBeLessThan(ANSWERS_WITHIN_MS);
          const account = await accountOf(shared.current, earlier.account.userId);
          const cluster = await account.cluster(earlier.cluster.id);
          expect(cluster).toMatchObject({
            status: 'active',
            mailServer: earlier.cluster.mailServer,
          });
          expect(await account.wallet()).toMatchObject({ balanceCents: 0, heldCents: 0 });
          expect(await readSubjects(shared.current, earlier.mailbox)).toEqual(['Keep this']);
        },
        START_MS,
      );
    },
  };
}
