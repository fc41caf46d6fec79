/** Replaces Temporal and the workers: round after round of a campaign, in processes that die. */
import { randomUUID } from 'node:crypto';
import {
  runSendingSession,
  type SendingMemory,
} from '../../activities/campaigns/sending-session.ts';
import type { SessionLimits } from '../../activities/engine/session-limits.ts';
import type { SessionTools } from '../../activities/campaigns/tools.ts';
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import type { SimulatedCampaign } from './book.ts';
import { openSimulatedSession, type MailServerRules } from './mail-server.ts';
import { START } from './scenario.ts';
import type { VirtualTask, VirtualTime } from './virtual-time.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** A simulation that does not end is a failure, too. */
const MAX_DAYS = 400;

/** As in `activities/shards/sessions.ts`. */
const SHARD_SESSION_MS = 25_000;
const SHARD_IDLE_MS = 2_000;

export interface CampaignRuns {
  begin(campaign: SimulatedCampaign, workflowId: string): void;
  /** Ends the wait of a campaign between two rounds. */
  wake(workflowId: string): void;
  isOpen(campaignId: number): boolean;
  /** Runs that have not ended. */
  open: ReadonlyMap<Promise<void>, number>;
  /** Attempts at rounds whose processes live. */
  alive: ReadonlySet<string>;
  crashes(): number;
}

export function createRuns({
  time,
  tools,
  server,
  random,
  resume,
  breach,
  report,
  failed,
}: {
  time: VirtualTime;
  tools: Omit<SessionTools, 'attempt' | 'signal' | 'sleep' | 'chance'>;
  server: Omit<MailServerRules, 'die'>;
  random: () => number;
  resume: (campaign: SimulatedCampaign) => Promise<unknown>;
  breach: (rule: string) => void;
  report: (line: string) => void;
  failed: (error: unknown) => void;
}): CampaignRuns {
  const now = () => time.clock.now().getTime();
  const alive = new Set<string>();
  /** By their workflow ids. */
  const sleepers = new Map<string, () => void>();
  /** With their campaigns. */
  const open = new Map<Promise<void>, number>();
  const memories = new Map<number, SendingMemory>();
  let crashes = 0;
  return {
    begin,
    wake: (workflowId) => sleepers.get(workflowId)?.(),
    isOpen: (campaignId) => [...open.values()].includes(campaignId),
    open,
    alive,
    crashes: () => crashes,
  };

  function begin(campaign: SimulatedCampaign, workflowId: string): void {
    // Entered at once, so that time does not move before its first round.
    const driver = time.enter(workflowId);
    const done = run(campaign, workflowId, driver)
      .catch(failed)
      .finally(() => open.delete(done));
    open.set(done, campaign.id);
  }

  /** The workflow: round after round, a new attempt when one has died. */
  async function run(
    campaign: SimulatedCampaign,
    workflowId: string,
    entered: VirtualTask,
  ): Promise<void> {
    let driver = entered;
    const rest = async (ms: number) => {
      const woken = new AbortController();
      sleepers.set(workflowId, () => woken.abort());
      await driver.sleep(ms, woken.signal);
      sleepers.delete(workflowId);
    };
    for (;;) {
      if (now() - START.getTime() > MAX_DAYS * DAY) {
        breach(`campaign ${campaign.id} does not end`);
        break;
      }
      // Awake between two rounds only: a round sleeps by itself.
      const task = time.enter(`round of ${campaign.id}`);
      driver.leave();
      const round = await attempt(campaign, task);
      driver = time.enter(workflowId);
      task.leave();
      if (round === 'crashed') continue;
      if (round.isDone || round.state === 'over') break;
      if (round.state === 'paused') {
        campaign.isActive.set(false, now());
        // Only a signal of ours resumes it.
        await driver.sleep(6 * HOUR * (0.5 + random()));
        await resume(campaign);
      } else if (round.nextAt !== null) {
        await rest(new Date(round.nextAt).getTime() - now());
      }
    }
    campaign.isActive.set(false, now());
    driver.leave();
    report(`campaign ${campaign.id} ended at ${time.clock.now().toISOString()}`);
  }

  /** One attempt of a round; the process that runs it may die. */
  async function attempt(
    campaign: SimulatedCampaign,
    task: VirtualTask,
  ): Promise<SessionResult | 'crashed'> {
    const id = randomUUID();
    let isDead = false;
    let die: () => void = () => undefined;
    const crashed = new Promise<'crashed'>((resolve) => {
      die = () => {
        crashes += 1;
        isDead = true;
        alive.delete(id);
        resolve('crashed');
      };
    });
    alive.add(id);
    const own: SessionTools = {
      ...tools,
      mailTransport: {
        ...tools.mailTransport,
        checkSubmission: async () => undefined,
        openSubmission: openSimulatedSession({ ...server, die }, () => isDead),
      },
      attempt: id,
      signal: new AbortController().signal,
      sleep: (ms, signal) => task.sleep(ms, signal),
      chance: random,
    };
    const limits = limitsOf(campaign.id);
    const round = await Promise.race([runSendingSession(own, campaign.id, limits), crashed]);
    alive.delete(id);
    if (round === 'crashed') memories.delete(campaign.id);
    return round;
  }

  /** Every other campaign has the short sessions of a shard; the others those of an activity. */
  function limitsOf(campaignId: number): SessionLimits<SendingMemory> | undefined {
    if (campaignId % 2 === 0) return undefined;
    const memory = memories.get(campaignId) ?? {};
    memories.set(campaignId, memory);
    return { sessionMs: SHARD_SESSION_MS, idleMs: SHARD_IDLE_MS, memory, isNew: true };
  }
}
