/** Replaces Temporal and the workers: round after round of a campaign, in processes that die. */
import { randomUUID } from 'node:crypto';
import {
  createMessageBudget,
  MESSAGE_BUDGET_BYTES,
} from '../../activities/campaigns/message-budget.ts';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import type { SessionTools } from '../../activities/campaigns/tools.ts';
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import type { SimulatedCampaign } from './book.ts';
import { openSimulatedSession, type MailServerRules } from './mail-server.ts';
import type { Owner, Owners } from './owners/owners.ts';
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
  owners,
  random,
  resume,
  breach,
  report,
  failed,
}: {
  time: VirtualTime;
  tools: Omit<SessionTools, 'attempt' | 'signal' | 'sleep' | 'chance'>;
  server: Omit<MailServerRules, 'die' | 'pass'>;
  owners: Owners;
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
  let crashes = 0;
  return {
    begin,
    wake: (workflowId) => sleepers.get(workflowId)?.(),
    isOpen: (campaignId) => [...open.values()].includes(campaignId),
    open,
    alive,
    crashes: () => crashes + owners.crashes(),
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
      const round = await (isSharded(campaign) ? shardSession : attempt)(campaign, task);
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
    const round = await Promise.race([runSendingSession(own, campaign.id), crashed]);
    alive.delete(id);
    return round;
  }

  /**
   * One session of the worker that has the shard. Who has lost it may be at work for a while beside the next one: then
   * its session goes on here, and what it says changes nothing.
   */
  async function shardSession(
    campaign: SimulatedCampaign,
    task: VirtualTask,
  ): Promise<SessionResult | 'crashed'> {
    const owner = await owners.current();
    const memory = owner.memoryOf(campaign.id);
    const own = time.enter(`session of ${campaign.id}`);
    task.leave();
    alive.add(memory.attempt);
    const isNew = !memory.isClean;
    memory.isClean = false;
    const session = runSendingSession(toolsOf(owner, memory.attempt, own), campaign.id, {
      sessionMs: SHARD_SESSION_MS,
      idleMs: SHARD_IDLE_MS,
      memory: memory.sending,
      isNew,
    });
    const ended = session.catch((error: unknown) => {
      if (!owner.isDead()) failed(error);
    });
    void Promise.race([ended, owner.died]).then(() => {
      alive.delete(memory.attempt);
      own.leave();
    });
    const round = await Promise.race([ended, owner.gone]);
    if (round === undefined || round === 'crashed') return 'crashed';
    memory.isClean = !owner.signal.aborted;
    return round;
  }

  function toolsOf(owner: Owner, attempt: string, task: VirtualTask): SessionTools {
    const { db, logger, signal, isDead, die, pass } = owner;
    return {
      ...tools,
      db,
      logger,
      messageBudget: createMessageBudget(MESSAGE_BUDGET_BYTES),
      mailTransport: {
        ...tools.mailTransport,
        checkSubmission: async () => undefined,
        openSubmission: openSimulatedSession({ ...server, die, pass }, isDead),
      },
      attempt,
      endsAtOnce: true,
      signal,
      sleep: (ms, woken) => task.sleep(ms, woken),
      chance: random,
    };
  }
}

/** Every other campaign has the short sessions of a shard; the others those of an activity. */
const isSharded = ({ id }: SimulatedCampaign): boolean => id % 2 !== 0;
