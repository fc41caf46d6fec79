/** A sending session of a campaign: claims what is due, sends it, waits for more, and polls its row. */
import { DAY_SECONDS } from '../../src/domain/day.ts';
import { pauseFor } from '../../src/transactions/campaign-health.ts';
import { completeCampaign } from '../../src/transactions/campaign-states.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { hasRecipientsDue } from '../../src/db/campaigns/campaigns.ts';
import { takeUpOutsideWindow } from '../../src/db/campaigns/window-changes.ts';
import { findPauseWords, hasCampaignChanged } from '../../src/db/campaigns/campaign-waits.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { Claim } from '../../src/transactions/claims.ts';
import { recoverMessages } from '../../src/db/sending/send-progress.ts';
import type { JobState, SessionResult } from '../../src/domain/operations/jobs.ts';
import { earliest, sendingMs } from '../../src/domain/sending/sending-time.ts';
import type { SessionLimits } from '../engine/session-limits.ts';
import { newTroubles, type TroubleMemory } from './mailbox-troubles.ts';
import { createFlight, type Flight } from './messages-in-flight.ts';
import type { SessionTools } from './tools.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

/** Further recipients to check after some were held back: more, where all of them were. */
const FURTHER = 200;
const MOST_FURTHER = 2_000;
const furtherAfter = (dropped: number): number =>
  dropped === 0 ? 0 : Math.min(MOST_FURTHER, Math.max(FURTHER, 2 * dropped));

/** How often the row is polled while nothing is due. */
const POLL_MS = 3_000;
/** Seconds of sending between two looks at rates and mailboxes; while mailboxes are being checked, and at least, this time. */
const UPKEEP_SECONDS = 20;
const UPKEEP_MS = 5_000;
/** Seconds of sending: a session ends so that the history shows progress; longer waits are timers. */
const SESSION_SECONDS = 2 * 3_600;
/** Longer than the gap of a mailbox and the hour of its hourly limit: the session itself waits for these. */
const IDLE_SECONDS = 2 * 3_600;
/** Raised limits, advanced warm-ups and recovered mailboxes are noticed after this time. */
const AGAIN_SECONDS = 600;
/** An uncertain message may be proven meanwhile: its follow-up is due at least a day after that. */
const REST_SECONDS = DAY_SECONDS;
const MIN_SESSION_MS = 60_000;
const MIN_IDLE_MS = 5_000;

/** What stays from one session of a campaign to the next in the same process. */
export interface SendingMemory {
  upkeep?: Upkeep;
  /** When the upkeep is due, milliseconds. */
  upkeepAt?: number;
  troubles?: TroubleMemory;
}

/** Spec: Campaigns. Safe to repeat and to kill at any line: each message has one row. */
export async function runSendingSession(
  tools: SessionTools,
  campaignId: number,
  limits?: SessionLimits<SendingMemory>,
): Promise<SessionResult> {
  const { db, clock, config, attempt } = tools;
  const startedAt = clock.now().getTime();
  const until =
    startedAt +
    (limits?.sessionMs ?? Math.max(MIN_SESSION_MS, sendingMs(SESSION_SECONDS, config.DAY_SECONDS)));
  const longMs = Math.max(MIN_IDLE_MS, sendingMs(IDLE_SECONDS, config.DAY_SECONDS));
  const idleMs = limits?.idleMs ?? longMs;
  if (limits?.isNew ?? true) {
    // An attempt that was taken for dead may still be alive, and sending the same messages.
    const recovery = { campaignId, exceptBy: attempt, now: clock.now() };
    await despiteDeadlocks(() => db.transaction().execute((trx) => recoverMessages(trx, recovery)));
  }
  const againMs = Math.max(MIN_IDLE_MS, sendingMs(AGAIN_SECONDS, config.DAY_SECONDS));
  const memory = limits?.memory ?? {};
  const upkeep = (memory.upkeep ??= createUpkeep(tools, campaignId));
  const upkeepMs = Math.max(UPKEEP_MS, sendingMs(UPKEEP_SECONDS, config.DAY_SECONDS));
  const nextUpkeep = () => clock.now().getTime() + (upkeep.isOpen() ? UPKEEP_MS : upkeepMs);
  const flight = createFlight(tools, campaignId, (memory.troubles ??= newTroubles()));
  // A shard begins a session at no cost: checks that are under way are soon gone on with.
  const isSoon = () => limits !== undefined && upkeep.isOpen();
  const restMs = sendingMs(REST_SECONDS, config.DAY_SECONDS);
  const restUntil = () => new Date(clock.now().getTime() + (isSoon() ? UPKEEP_MS : restMs));
  /** Until when the session ends that has nothing in flight; null where it waits itself. */
  const restOf = (nextAt: Date, { isShared }: Claim): Date | null => {
    const now = clock.now().getTime();
    const left = nextAt.getTime() - now;
    if (left > longMs && !isShared) return earliest(nextAt, restUntil());
    if (!limits || left <= idleMs) return null;
    const soonMs = isSoon() ? UPKEEP_MS : againMs;
    return earliest(nextAt, new Date(now + (isShared ? POLL_MS : soonMs)));
  };
  let further = 0;
  const answer = (state: JobState, rest: Partial<SessionResult> = {}): SessionResult => ({
    state,
    isDone: false,
    nextAt: null,
    progress: `${flight.sent()} messages sent in this session`,
    ...rest,
  });
  // The workflow's details have no other word of why.
  const paused = async () => {
    const words = await findPauseWords(db, campaignId);
    return answer('paused', { progress: `${words}; ${answer('paused').progress}` });
  };
  try {
    for (;;) {
      const now = clock.now().getTime();
      if (tools.signal.aborted || now >= until) return answer('active');
      if (now >= (memory.upkeepAt ?? 0)) {
        memory.upkeepAt = nextUpkeep();
        if (await upkeep(tools)) return paused();
        // Also where it has taken seconds itself: messages are to go out between two of them.
        memory.upkeepAt = nextUpkeep();
      }
      const room = flight.reserve();
      if (room === 0) {
        await flight.settled();
        continue;
      }
      const settledCount = flight.settledCount();
      const asked = { inFlight: flight.leads(), most: room, further };
      const request = { campaignId, claimedBy: attempt, now: clock.now(), ...asked };
      const claim = await db
        .transaction()
        .execute((trx) => claimMessages(trx, config, { ...request, chance: () => tools.chance() }));
      if (claim.state === 'paused') return paused();
      if (claim.state !== 'active') {
        return answer(claim.state, { isDone: claim.campaign.status === 'completed' });
      }
      if (claim.missing.length > 0) {
        await pauseForSender(tools, campaignId, claim.missing);
        return paused();
      }
      await flight.take(claim);
      if (claim.campaign.times_changed_at !== null) {
        await takeUpOutsideWindow(db, claim.campaign, tools.signal);
        continue;
      }
      further = furtherAfter(claim.dropped);
      if (claim.dropped > 0) continue;
      const { seen, why: progress } = claim;
      const hasChanged = createLook(tools, campaignId, claim);
      // A message that ends tells when its recipient is due again: until somebody is due, nothing is claimed anew.
      for (;;) {
        const nextAt = flight.nextDue(claim);
        const left = (nextAt?.getTime() ?? Infinity) - clock.now().getTime();
        if (left <= 0) break;
        if (flight.size() === 0) {
          // The last of them has ended since: the claim has not seen what is left.
          if (nextAt === null && flight.settledCount() !== settledCount) break;
          if (nextAt === null) {
            const isOver = await db
              .transaction()
              .execute((trx) => completeCampaign(trx, campaignId, clock.now()));
            if (isOver) return answer('active', { isDone: true });
            if (await waitsForOthers(db, claim.campaign)) {
              const rest = { nextAt: restUntil().toISOString(), seen, progress: NO_LEADS };
              return answer('active', rest);
            }
            // Some rows are locked by other transactions just now.
            await tools.sleep(POLL_MS / 10, tools.signal);
            break;
          }
          const rest = restOf(nextAt, claim);
          if (rest) return answer('active', { nextAt: rest.toISOString(), seen, progress });
          // Nobody else compares while the session waits itself.
          const hasEnded = flight.settledCount() !== settledCount;
          if (hasEnded && (await hasCampaignChanged(db, campaignId, seen))) break;
        }
        const most = clock.now().getTime() + againMs;
        const limit = Math.min(nextAt?.getTime() ?? most, until, most);
        if (!(await waitForEnd(tools, { until: limit, flight, claim, hasChanged }))) break;
        // Rates are judged also while many are in flight.
        if (flight.size() > 0 && clock.now().getTime() >= (memory.upkeepAt ?? 0)) break;
      }
    }
  } finally {
    await flight.drain();
  }
}

const NO_LEADS = 'No lead is left: it waits for those that enter it';

/** Leads enter it by their answers, or in portions: it goes on without any. Who lets one enter wakes it. */
const waitsForOthers = async (db: SessionTools['db'], campaign: Claim['campaign']) =>
  campaign.lists_enrolled_to !== null ||
  campaign.holds_taken_up_to !== null ||
  (campaign.starts_on_interests !== null && !(await hasRecipientsDue(db, campaign.id)));

/** The account was emptied: no message is sent without its sender's name and address. Choice 56. */
function pauseForSender(
  { db, clock }: SessionTools,
  campaignId: number,
  missing: readonly string[],
): Promise<boolean> {
  const what = `${missing.join(' and ')} of the account ${missing.length > 1 ? 'are' : 'is'} missing`;
  const warning = `Sending stopped: ${what}. Set them by PATCH /v1/account and resume`;
  const reason = 'insufficient_data' as const;
  return db
    .transaction()
    .execute((trx) => pauseFor(trx, campaignId, { reason, warning, now: clock.now() }));
}

/** Whether the row or the recipients have changed since the claim; asked more often, it looks rarely. */
function createLook({ db, clock }: SessionTools, campaignId: number, { seen }: Claim) {
  let lookedAt = clock.now().getTime();
  return async (): Promise<boolean> => {
    const now = clock.now().getTime();
    // Timers may come a little early.
    if (now - lookedAt < POLL_MS / 2) return false;
    lookedAt = now;
    return hasCampaignChanged(db, campaignId, seen);
  };
}

/** Given, so that none is made with a stack for each message. */
const HAS_ENDED = new Error('a message has ended');

/** True when a message has ended; false where a claim is to look: at `until`, and after changes. */
async function waitForEnd(
  tools: SessionTools,
  {
    until,
    flight,
    claim,
    hasChanged,
  }: { until: number; flight: Flight; claim: Claim; hasChanged: () => Promise<boolean> },
): Promise<boolean> {
  const settledCount = flight.settledCount();
  for (;;) {
    const left = until - tools.clock.now().getTime();
    if (left <= 0 || tools.signal.aborted) return false;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, tools.signal]);
    const slept = tools.sleep(Math.min(left, POLL_MS), signal);
    await Promise.race([slept, ...(flight.size() > 0 ? [flight.settled()] : [])]);
    stop.abort(HAS_ENDED);
    const hasEnded = flight.settledCount() !== settledCount;
    if (claim.isShared && !hasEnded) return false;
    if (await hasChanged()) return false;
    if (hasEnded) return true;
  }
}
