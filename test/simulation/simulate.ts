/** Whole campaigns on a virtual clock: the product's rounds and its Postgres, simulated servers and people. */
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import {
  createMessageBudget,
  MESSAGE_BUDGET_BYTES,
} from '../../activities/campaigns/message-budget.ts';
import type { CampaignContext } from '../../activities/campaigns/tools.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import type { Config } from '../../src/config.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import { createRecipientLinks } from '../../src/encryption/recipient-links.ts';

import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { namedRandom, seededRandom } from '../chaos/seeded-random.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createBook } from './book.ts';
import { createClients, type ClientContext } from './clients.ts';
import { createFates } from './fates.ts';
import type { Began } from './mail-server.ts';
import { createObserver } from './observer.ts';
import type { Kills } from '../chaos/kill-points.ts';
import { createOwners } from './owners/owners.ts';
import { createPeople } from './people.ts';
import { createReferee, type Observed } from './rules.ts';
import { createRuns } from './runs.ts';
import { rowsBehind } from './rows-behind.ts';
import { foundCampaign, PER_DOMAIN, START, startRuleFor, WINDOWS } from './scenario.ts';
import { unfair } from './sharing/fairness.ts';
import { createCorrections } from './subsequences/corrections.ts';
import { createInbox } from './subsequences/inbox.ts';
import { createProcesses } from './subsequences/mortal-process.ts';
import { createStarter } from './subsequences/starter.ts';
import { drawLimits } from './new-leads/limit-clients.ts';
import { createArrivals } from './variants/arrivals.ts';
import { createDecisions } from './variants/decisions.ts';
import { countReaders, createTaste, drawReaders, readerDomain } from './variants/readers.ts';
import { drawComparing } from './variants/text-clients.ts';
import { createVerdict } from './verdict.ts';
import { createVirtualTime, failOnError, watchTime } from './virtual-time.ts';
import { signalsTo } from './world.ts';

/** The random part of a workflow's id: here, runs are named without. */
const RUN_KEY = /\/[0-9a-f]{16}$/;

export interface Simulation {
  seed: number;
  /** Recipients of the large campaign; a small one with a tenth of them shares its mailboxes. */
  recipients: number;
  mailboxes: number;
  /** The shortest virtual wait: the resolution of time. */
  grainMs: number;
  report?: (line: string) => void;
  /** Aborts it before its end. */
  over?: AbortSignal;
}

export interface SimulationResult {
  violations: string[];
  /** What book and database have of those that violations name. */
  behind: string[];
  messages: number;
  days: number;
  crashes: number;
  /** Those of them that hit shards as they changed their owner. */
  kills: Kills;
  /** How many have entered the subsequence. */
  entered: number;
  /** How many texts have won. */
  won: number;
  /** Recipients by state and reason. */
  ends: Record<string, number>;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How many seeds have a limit of new leads, and a campaign that compares texts; the others are as without them. */
const LIMITED = 0.6;
const COMPARED = 0.6;
/** Clients act once per this many messages; campaigns with more recipients are cancelled less often. */
const CANCELLED_OF = 60;

/** Runs both campaigns to their ends. */
export async function simulate(
  db: Kysely<Database>,
  options: Simulation,
): Promise<SimulationResult> {
  const { seed, recipients, mailboxes, grainMs, report = () => undefined } = options;
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const keys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const cipher = createCipher(keys);
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: mailboxes });
  const domainOf = (n: number) => `client-${seed}-${Math.floor(n / PER_DOMAIN)}.example`;
  const book = createBook();
  const pickWindow = () => pick(WINDOWS);
  const founding = { userId, mailboxIds, domainOf, pickWindow };
  const settings = namedRandom(seed, 'settings');
  const limitsFor = (leads: number) => drawLimits(settings, { leads, mailboxes });
  const newLeads = settings() < LIMITED ? limitsFor(recipients) : undefined;
  const large = await foundCampaign(db, book, {
    ...founding,
    size: recipients,
    isSmall: false,
    newLeads,
  });
  const size = Math.ceil(recipients / 10);
  await foundCampaign(db, book, { ...founding, size, isSmall: true });
  const startsOn = startRuleFor(large.id, random);
  const next = { ...founding, size: 0, isSmall: false, startsOn };
  const subsequence = await foundCampaign(db, book, next);
  const readers = drawReaders(namedRandom(seed, 'who reads'));
  if (settings() < COMPARED) {
    const leads = countReaders(readers, recipients);
    await foundCampaign(db, book, {
      ...founding,
      size: leads,
      isSmall: false,
      domainOf: (n) => readerDomain(domainOf(n)),
      pickWindow: () => WINDOWS[Math.floor(settings() * WINDOWS.length)]!,
      // Slowly: a text should win while there are people who have not got the message.
      newLeads: limitsFor(leads / 2),
      comparing: drawComparing(settings),
    });
  }

  const underWay = { count: 0 };
  /** Acts of clients in progress. */
  const acts = new Set<Promise<void>>();
  let failed: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_resolve, reject) => (failed = reject));
  const time = createVirtualTime({
    start: START,
    grainMs,
    settled,
    failed: (error) => failed(error),
  });
  const { clock } = time;
  const now = () => clock.now().getTime();
  const referee = createReferee(book);
  const breach = (rule: string) => {
    referee.violations.push(rule);
    report(rule);
  };
  const verdict = createVerdict(db, book, now);
  const { texts } = referee;
  const arrivals = createArrivals();
  const { isSure } = arrivals;
  const decisions = createDecisions(db, { book, texts, userId, isSure, now, breach });
  const openings: Observed[] = [];
  const observer = createObserver(db, {
    now,
    decided: () => decisions.note(),
    observe(message) {
      const { length } = referee.violations;
      referee.observe(message);
      if (message.step === 0) openings.push(message);
      for (const rule of referee.violations.slice(length)) report(rule);
      decisions.lookAtSending(message.campaignId);
    },
  });
  const context = {
    db,
    config: Object.freeze(
      environmentSchema.parse({ DATABASE_URL: 'postgres://-', ENCRYPTION_KEYS: keys }),
    ) as unknown as Config,
    clock,
    cipher,
    recipientLinks: createRecipientLinks({ publicUrl: 'https://outreach.example', keys }),
    // Only simulated failures happen here, and they are not logged as errors: an error in the log is a
    // defect.
    logger: pino({ level: 'warn' }, { write: (line) => failOnError(line, failed) }),
    dns: undefined as unknown as CampaignContext['dns'],
    temporal: signalsTo((workflowId) => runs.wake(workflowId.replace(RUN_KEY, ''))),
    startOperation: async (operation: Operation) => {
      const campaign = book.campaign(operation.resource_id);
      campaign.isActive.set(true, now());
      runs.begin(campaign, operation.workflow_id);
      return operation;
    },
  };
  const processes = createProcesses(db, random);
  const deliver = createInbox(context, processes);
  const corrections = createCorrections(context, { random, processes });
  const people = createPeople(context, {
    book,
    random,
    chance: namedRandom(seed, 'expiries'),
    isLiked: createTaste(readers, namedRandom(seed, 'liking')),
    deliver,
    corrections,
  });
  const beginStarts = createStarter(context, { book, random, processes, breach });
  const clients = createClients({
    context: context as unknown as ClientContext,
    book,
    userId,
    random,
    windows: WINDOWS,
    mailboxIds,
    domainOf,
    cancelChance: Math.min(1, CANCELLED_OF / recipients),
    breach,
    texts,
    decisions,
    ofLimits: namedRandom(seed, 'limits'),
    ofTexts: namedRandom(seed, 'texts'),
    ofCorrections: namedRandom(seed, 'corrections'),
  });
  const transport = createMailTransport({
    dns: context.dns,
    outboundProxy: undefined,
    timeoutMs: 1_000,
  });
  const messageBudget = createMessageBudget(MESSAGE_BUDGET_BYTES);
  const fates = createFates(db, { book, random, now });
  const fate = async (message: RawMessage) => {
    const drawn = await fates(message);
    arrivals.note(message, drawn, now());
    return drawn;
  };
  const owners = createOwners(db, {
    chance: namedRandom(seed, 'owners'),
    changed: () => arrivals.noteDeath(now()),
    breach,
    failed: (error) => failed(error),
  });
  const runs = createRuns({
    time,
    tools: { ...context, mailTransport: transport, messageBudget },
    server: {
      fate,
      before,
      delivered: (message) => people.receive(message),
      lost: mayArrive,
      underWay,
    },
    owners,
    random,
    resume: (campaign) => clients.resume(campaign),
    breach,
    report,
    failed,
  });

  const world = liveOn();
  for (const campaign of book.campaigns) {
    runs.begin(campaign, runCampaignFlow.workflowId({ campaignId: campaign.id, run: 1 }));
  }
  const over = (async () => {
    // Waits for clients who are cancelling or starting a campaign: the book follows the product's
    // answer.
    while (runs.open.size + acts.size > 0) await Promise.all([...runs.open.keys(), ...acts]);
  })();
  const watch = watchTime(time, failed);
  const interrupt = () => failed(new Error('interrupted'));
  options.over?.addEventListener('abort', interrupt);
  await Promise.race([over, broken]).finally(() => {
    options.over?.removeEventListener('abort', interrupt);
    clearInterval(watch);
    world.stop();
    time.stop();
  });
  await settled();
  await decisions.note();
  const { violations, ends } = await verdict.end();
  const unfairness = unfair(book, openings, mailboxes);
  const all = [...referee.violations, ...violations, ...unfairness];
  return {
    violations: all,
    behind: await rowsBehind(db, book, all),
    messages: referee.begun.size,
    days: (now() - START.getTime()) / DAY,
    crashes: runs.crashes() + processes.crashes(),
    kills: owners.kills(),
    entered: book.answers.entered(),
    won: decisions.count(),
    ends,
  };

  /** Waits until messages being sent and their rows are done, before time moves. */
  async function settled(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay.count > 0) continue;
      if (runs.alive.size === 0) return;
      const open = await db
        .selectFrom('sends')
        .select('id')
        .where('state', 'in', ['claimed', 'sending'])
        .where('claimed_by', 'in', [...runs.alive])
        .limit(1)
        .execute();
      if (open.length === 0 && underWay.count === 0) return;
    }
  }

  async function before(message: RawMessage): Promise<Began> {
    const began = await observer(message);
    if (random() < 0.01) await changeSomething();
    return began;
  }

  async function changeSomething(change = () => clients.act()): Promise<void> {
    const act = change()
      .catch((error: unknown) => breach(`a client was told: ${String(error)}`))
      .finally(() => acts.delete(act));
    acts.add(act);
    await act;
  }

  function mayArrive(message: RawMessage): void {
    if (random() < 0.5) people.receive(message);
  }

  /** Whether nobody can enter the subsequence any more: it would wait for ever. */
  function isQuiet(): boolean {
    const rule = subsequence.startsOn!.now();
    if (rule === null || subsequence.isCancelled || !people.areQuiet()) return false;
    if (book.campaigns.some((one) => one !== subsequence && runs.isOpen(one.id))) return false;
    const said = [...book.people].flatMap((id) => book.answers.of(id).slice(-1));
    const last = Math.max(0, ...said.map(({ at, interest }) => Math.max(at, interest.since())));
    return now() > last + rule.afterMs + 2 * DAY;
  }

  /** Delivers answers that are due; from time to time clients change something. */
  function liveOn() {
    const task = time.enter('the world');
    let isOver = false;
    let checkedAt = 0;
    const live = async () => {
      while (!isOver) {
        await task.sleep(30 * MINUTE);
        // An answer and the start that it ends may come at once.
        await Promise.all([people.act(), beginStarts()]);
        if (isQuiet()) await clients.endStarts(subsequence);
        if (random() < 0.02) await changeSomething();
        await changeSomething(() => clients.tend());
        if (now() - checkedAt < DAY) continue;
        checkedAt = now();
        await decisions.note();
        decisions.look();
        for (const rule of await verdict.look()) breach(rule);
      }
    };
    void live().catch(failed);
    return {
      stop() {
        isOver = true;
        task.leave();
      },
    };
  }
}
