/** A campaign while worker, API, Postgres or Temporal die; the full size: `npm run drill -- campaign-kills`. */
import { expect, test } from 'vitest';
import { campaignProblems } from '../chaos/campaign-books.ts';
import { runCampaignDrill } from '../chaos/campaign-drill.ts';
import { fundedAccount } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

const RECIPIENTS = 90;
const KILLS = 2;
/** One domain and one server. */
const FUNDS_CENTS = 5_000;
/** What is missing is waited for and then told: see `campaignProblems`. */
const TIMEOUT_MS = 480_000;

/** Another one with DRILL_SEED=n. */
const seed = Number(process.env['DRILL_SEED'] ?? 1);

export function campaignKillTests(world: () => SharedWorld): void {
  test(
    `a campaign to ${RECIPIENTS} leads with ${KILLS} kills (seed ${seed}) writes to each once, hears what became of it, and explains the rest`,
    { timeout: TIMEOUT_MS },
    async () => {
      const account = await fundedAccount(world(), 'campaign-kills', FUNDS_CENTS);
      const drill = {
        recipients: RECIPIENTS,
        mailboxes: 2,
        kills: KILLS,
        seed,
        // A day of this world is a real one: the mailboxes may spend it at once.
        limits: { dailyLimit: 50, hourlyLimit: 50, minGapSeconds: 0 },
        report: () => undefined,
      };
      const result = await runCampaignDrill(world(), account, drill);
      expect(await campaignProblems(world(), drill, result)).toEqual([]);
      expect(result.kills).toBe(KILLS);
    },
  );
}
