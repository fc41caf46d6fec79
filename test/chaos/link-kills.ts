/** Kills of the worker that has a campaign's shard while links break, and of the next one as it takes the shard. */
import { fundedAccount } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { shardOf } from '../../src/domain/shards/shards.ts';
import { campaignProblems } from './campaign-books.ts';
import { followCampaign, startCampaign } from './campaign-drill.ts';
import { addHits, describeKills, newKills, notShown } from './kill-points.ts';
import { FUNDS_CENTS } from './link-drill.ts';
import { killOwner, nextPoint } from './victims.ts';

interface LinkKills {
  /** For `breakLinks`: kills while a link of the worker is broken. */
  strike(link: string): Promise<(() => Promise<void>) | undefined>;
  /** All kills are done, or nothing is left to be sent. */
  areOver(): boolean;
  /** What came of the campaign, in lines: none where all is well, and each moment was hit. */
  problems(): Promise<string[]>;
}

/** Starts a campaign, over links that are whole. */
export async function createLinkKills(
  world: SharedWorld,
  options: {
    kills: number;
    recipients: number;
    mailboxes: number;
    seed: number;
    report: (line: string) => void;
  },
): Promise<LinkKills> {
  const { report } = options;
  const account = await fundedAccount(world, 'links-campaign', FUNDS_CENTS);
  const campaignId = await startCampaign(account, options);
  const drill = { ...options, kills: 0 };
  let isSent = false;
  const end = followCampaign(world, campaignId, drill).finally(() => (isSent = true));
  // Its error is handled where its books are read.
  end.catch(() => undefined);
  const hits = newKills();
  let done = 0;
  const areOver = () => done >= options.kills || isSent;
  return {
    areOver,
    async strike(link) {
      if (areOver() || !link.startsWith('worker->')) return undefined;
      const aim = { shard: shardOf(campaignId), point: nextPoint(done), isSending: true };
      done += 1;
      const first = await killOwner(world, aim);
      return async () => {
        const words = addHits(hits, [...first.hits, ...(await first.killNext())]);
        report(`kill ${done}: ${words}, while ${link} was broken`);
      };
    },
    async problems() {
      const result = await end;
      report(`campaign: ${JSON.stringify(result.ends)}`);
      report(`${done} kills as the shard changed its owner: ${describeKills(hits)}`);
      const missing = done < options.kills ? [`only ${done} kills: the campaign was over`] : [];
      return [...(await campaignProblems(world, drill, result)), ...missing, ...notShown(hits)];
    },
  };
}
