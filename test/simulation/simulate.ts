/** Whole campaigns on a virtual clock: the product's rounds and its Postgres, simulated servers and people. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import {
  createLetterBudget,
  LETTER_BUDGET_BYTES,
} from '../../activities/campaigns/letter-budget.ts';
import { runRound } from '../../activities/campaigns/round.ts';
import type { CampaignContext, RoundTools } from '../../activities/campaigns/tools.ts';
import { createCipher } from '../../src/cipher.ts';
import type { Config } from '../../src/config.ts';
import { environmentSchema } from '../../src/config.ts';
import type { Operation } from '../../src/db/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import type { SendWindow } from '../../src/domain/campaigns.ts';
import type { RoundResult } from '../../src/domain/jobs.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { RawLetter } from '../../src/providers/mail-transport/port.ts';
import { createRecipientLinks } from '../../src/recipient-links.ts';
import { runCampaignWorkflowId } from '../../workflows/contracts/run-campaign.ts';
import { seededRandom } from '../chaos/seeded-random.ts';
import { addCampaign, addLeads, addMailboxes, addSender } from '../support/campaign-world.ts';
import { createBook, type Book, type SimulatedCampaign } from './book.ts';
import { createClients, learnAddresses, type ClientContext } from './clients.ts';
import { createHistory } from './history.ts';
import { openSimulatedSession, recipientOf, type Began, type Fate } from './mail-server.ts';
import { createObserver, isFollowup } from './observer.ts';
import { createPeople } from './people.ts';
import { createReferee, isOpen, type Observed } from './rules.ts';
import { createVerdict } from './verdict.ts';
import { createVirtualTime, type VirtualTask, type VirtualTime } from './virtual-time.ts';
import { noteRun, openWindow, signalsTo, writeSteps } from './world.ts';

export interface Simulation {
  seed: number;
  /** Of the large campaign; a small one with a tenth of them shares its mailboxes. */
  recipients: number;
  mailboxes: number;
  /** Shortest virtual wait: how exactly time is followed. */
  grainMs: number;
  report?: (line: string) => void;
}

export interface SimulationResult {
  violations: string[];
  letters: number;
  days: number;
  crashes: number;
  /** Recipients by state and reason. */
  ends: Record<string, number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = new Date('2026-03-02T00:00:00Z');
/** A simulation that does not end is wrong, too. */
const MAX_DAYS = 400;
/** Real time: long for a busy machine, too. */
const STANDSTILL_MS = 60_000;
const FOLLOWUPS = 2;
const DELAY_DAYS = 3;
/** People of one company: the cap per recipient domain has something to do. */
const PER_DOMAIN = 4;

const WINDOWS: SendWindow[] = [
  {
    timezone: 'America/New_York',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    startTime: '09:00',
    endTime: '17:00',
  },
  {
    timezone: 'Europe/Berlin',
    activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    startTime: '20:00',
    endTime: '04:30',
  },
  {
    timezone: 'Asia/Kolkata',
    activeDays: ['tue', 'thu', 'sat', 'sun'],
    startTime: '00:00',
    endTime: '23:59',
  },
];

/** In a thousand; what is left is taken. */
const FATES: [Fate, number][] = [
  ['put_off', 40],
  ['host_busy', 10],
  ['no_such_user', 8],
  ['lost_before_text', 5],
  ['lost_after_text', 5],
  ['dies_before_text', 3],
  ['dies_in_text', 3],
  ['dies_after_taking', 3],
];

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
  const book = createBook({ delayDays: DELAY_DAYS });
  for (const size of [recipients, Math.ceil(recipients / 10)]) await found(size);

  const underWay = { count: 0 };
  const alive = new Set<string>();
  /** Ends the sleep of a campaign between two rounds, by its workflow id. */
  const sleepers = new Map<string, () => void>();
  const runs = new Set<Promise<void>>();
  /** What clients are doing just now. */
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
  const observer = createObserver(db, {
    now,
    observe(letter) {
      const { length } = referee.violations;
      referee.observe(letter);
      for (const rule of referee.violations.slice(length)) report(rule);
    },
  });
  let crashes = 0;
  const letterBudget = createLetterBudget(LETTER_BUDGET_BYTES);
  const context = {
    db,
    config: Object.freeze(
      environmentSchema.parse({ DATABASE_URL: 'postgres://-', ENCRYPTION_KEYS: keys }),
    ) as unknown as Config,
    clock,
    cipher,
    recipientLinks: createRecipientLinks({ publicUrl: 'https://outreach.example', keys }),
    // Nothing fails here but what is simulated, which is no error: what is logged as one is ours.
    logger: pino({ level: 'warn' }, { write: (line) => errorOf(line, failed) }),
    dns: undefined as unknown as CampaignContext['dns'],
    temporal: signalsTo((workflowId) => sleepers.get(workflowId)?.()),
    startOperation: async (operation: Operation) => {
      const campaign = book.campaign(operation.resource_id);
      campaign.isActive.set(true, now());
      begin(campaign, operation.workflow_id);
      return operation;
    },
  };
  const people = createPeople(context, { book, random });
  const clients = createClients({
    context: context as unknown as ClientContext,
    book,
    userId,
    random,
    windows: WINDOWS,
    mailboxIds,
    domainOf,
    breach,
  });
  const transport = createMailTransport({
    dns: context.dns,
    outboundProxy: undefined,
    timeoutMs: 1_000,
  });

  const world = turn();
  for (const campaign of book.campaigns) begin(campaign, runCampaignWorkflowId(campaign.id, 1));
  const over = (async () => {
    // Whoever is about to cancel or to start one is waited for: the books follow the product's answer.
    while (runs.size + acts.size > 0) await Promise.all([...runs, ...acts]);
  })();
  const watch = watchTime(time, failed);
  await Promise.race([over, broken]).finally(() => {
    clearInterval(watch);
    world.stop();
    time.stop();
  });
  await settled();
  const { violations, ends } = await verdict.end(FOLLOWUPS + 1);
  const unfairness = unfair(book, referee.begun.values(), mailboxes);
  return {
    violations: [...referee.violations, ...violations, ...unfairness],
    letters: referee.begun.size,
    days: (now() - START.getTime()) / DAY,
    crashes,
    ends,
  };

  /** A campaign that was just started, with its people. */
  async function found(size: number): Promise<void> {
    const leads = await addLeads(db, userId, size, domainOf);
    const { campaignId } = await addCampaign(db, userId, {
      leads,
      mailboxIds,
      followups: FOLLOWUPS,
      delayDays: DELAY_DAYS,
      dueAt: START,
    });
    const marks = Array.from({ length: FOLLOWUPS + 1 }, (_, n) => `first${n}m`);
    await writeSteps(db, campaignId, { marks, delayDays: DELAY_DAYS });
    await noteRun(db, { userId, campaignId });
    const window = pick(WINDOWS);
    await openWindow(db, campaignId, window);
    book.campaigns.push({
      id: campaignId,
      isSmall: size < recipients,
      window: createHistory(window),
      isActive: createHistory(true),
      marks: marks.map((mark) => createHistory<string | undefined>(mark)),
      mailboxes: createHistory<readonly number[]>(mailboxIds),
      leads: new Set(leads),
      isCancelled: false,
    });
    await learnAddresses({ context: { db }, book }, leads);
  }

  function begin(campaign: SimulatedCampaign, workflowId: string): void {
    // Entered at once: time does not move before its first round.
    const driver = time.enter(workflowId);
    const done = run(campaign, workflowId, driver)
      .catch(failed)
      .finally(() => runs.delete(done));
    runs.add(done);
  }

  /** Letters under way and their rows come to rest before time moves. */
  async function settled(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay.count > 0) continue;
      if (alive.size === 0) return;
      const open = await db
        .selectFrom('sends')
        .select('id')
        .where('state', 'in', ['claimed', 'sending'])
        .where('claimed_by', 'in', [...alive])
        .limit(1)
        .execute();
      if (open.length === 0 && underWay.count === 0) return;
    }
  }

  /** The workflow: round after round, a new attempt where one has died. */
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
        // A signal to resume is ours alone.
        await driver.sleep(6 * HOUR * (0.5 + random()));
        await clients.resume(campaign);
      } else if (round.nextAt !== null) {
        await rest(new Date(round.nextAt).getTime() - now());
      }
    }
    campaign.isActive.set(false, now());
    driver.leave();
    report(`campaign ${campaign.id} ended at ${clock.now().toISOString()}`);
  }

  /** One attempt of a round; the process that runs it may die. */
  async function attempt(
    campaign: SimulatedCampaign,
    task: VirtualTask,
  ): Promise<RoundResult | 'crashed'> {
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
    const rules = { fate, before, delivered, lost: mayArrive, die, underWay };
    const tools: RoundTools = {
      ...context,
      mailTransport: {
        ...transport,
        checkSubmission: async () => undefined,
        openSubmission: openSimulatedSession(rules, () => isDead),
      },
      attempt: id,
      signal: new AbortController().signal,
      sleep: (ms, signal) => task.sleep(ms, signal),
      letterBudget,
      chance: random,
    };
    const round = await Promise.race([runRound(tools, campaign.id), crashed]);
    alive.delete(id);
    return round;
  }

  function fate(letter: RawLetter): Fate {
    let roll = Math.floor(random() * 1_000);
    for (const [name, share] of FATES) {
      if (roll < share) {
        if (name !== 'no_such_user') return name;
        if (isFollowup(letter)) return 'taken';
        book.closeAddress(recipientOf(letter), now());
        return name;
      }
      roll -= share;
    }
    return 'taken';
  }

  async function before(letter: RawLetter): Promise<Began> {
    const began = await observer(letter);
    if (random() < 0.01) await changeSomething();
    return began;
  }

  async function changeSomething(): Promise<void> {
    const act = clients
      .act()
      .catch((error: unknown) => breach(`a client was told: ${String(error)}`))
      .finally(() => acts.delete(act));
    acts.add(act);
    await act;
  }

  function delivered(letter: RawLetter): void {
    people.receive(letter);
  }

  function mayArrive(letter: RawLetter): void {
    if (random() < 0.5) people.receive(letter);
  }

  /** Answers come when their time has come; now and then clients change something. */
  function turn() {
    const task = time.enter('the world');
    let isOver = false;
    let checkedAt = 0;
    const live = async () => {
      while (!isOver) {
        await task.sleep(30 * MINUTE);
        await people.act();
        if (random() < 0.02) await changeSomething();
        if (now() - checkedAt < DAY) continue;
        checkedAt = now();
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

/** The rounds' own waits for a database that fails would be waits for time that does not move. */
function errorOf(line: string, failed: (error: Error) => void): void {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { stack: string } };
  if (err) failed(new Error(`${msg}: ${err.stack}`));
}

/** A simulation never hangs: time that stands still on a wall clock ends it. */
function watchTime(time: VirtualTime, failed: (error: Error) => void): NodeJS.Timeout {
  let last = -1;
  return setInterval(() => {
    const now = time.clock.now().getTime();
    if (now === last) failed(new Error(`time stands still: ${time.describe()}`));
    last = now;
  }, STANDSTILL_MS);
}

/** While both want the same mailboxes in open windows, the small one is not left behind. */
function unfair(book: Book, begun: Iterable<Observed>, mailboxes: number): string[] {
  const firsts = [...begun].filter(({ step }) => step === 0);
  const { id } = book.campaigns.find(({ isSmall }) => isSmall)!;
  const small = firsts.filter(({ campaignId }) => campaignId === id).map(({ at }) => at);
  const half = small.toSorted((a, b) => a - b)[Math.floor(small.length / 2)];
  if (half === undefined) return [];
  const from = Math.min(...small);
  const isWanting = (at: number) =>
    book.isActiveAt(id, at) && book.windowsAt(id, at).some((window) => isOpen(window, at));
  const others = firsts.filter(
    ({ campaignId, at }) => campaignId !== id && at >= from && at <= half && isWanting(at),
  ).length;
  // Turns are not exactly one for one.
  const most = 3 * small.length + 30 * mailboxes;
  return others > most ? [`the small campaign waited for ${others} letters of the large one`] : [];
}
