/** The platform's records: runs with their input, their rows, and their cost. */
import { randomBytes } from 'node:crypto';
import type { SandboxCore } from '../core.ts';
import type { Actor, ActorInput } from './actors.ts';
import { finishAtMs, isFinished, itemsSeenAt, statusAt, type RunPlan } from './run-clock.ts';

export interface RunOptions {
  build: string;
  timeoutSecs: number;
  memoryMbytes: number;
  diskMbytes: number;
  maxTotalChargeUsd?: number | undefined;
}

export interface Run extends RunPlan {
  id: string;
  actorId: string;
  /** `user/name`. */
  actor: string;
  buildNumber: string;
  datasetId: string;
  storeId: string;
  queueId: string;
  options: RunOptions;
  statusMessage: string;
  pricePerItem: number;
  inputBytes: number;
}

/** How long the container takes to start, and readers to see the last rows; world time. */
const READY_MS = 200;
const LAG_MS = 1_000;
/** A run that is aborted gracefully may finish its current work. */
const GRACE_MS = 500;
const OPENING_CREDIT_USD = 500;
/** The journal stores rows in blocks, so that a large run is no single line. */
const BLOCK = 250;

const RUNS = 'apify:runs';
const INPUTS = 'apify:inputs';
const ITEMS = 'apify:items';
const CREDIT = 'apify:credit';

export type RunRecords = ReturnType<typeof openRunRecords>;

export function openRunRecords(core: SandboxCore) {
  const { store } = core;
  const inMs = (worldMs: number): number => Math.round(worldMs / core.options.pace);
  const runs = () => store.list<Run>(RUNS);
  const costUsd = (run: Run): number => itemsSeenAt(run, Date.now()) * run.pricePerItem;
  const spentUsd = () => runs().reduce((sum, run) => sum + costUsd(run), 0);
  const credit = () =>
    store.get<{ usd: number; spentBefore: number }>(CREDIT, 'account') ?? {
      usd: OPENING_CREDIT_USD,
      spentBefore: 0,
    };
  return {
    runs,
    costUsd,
    spentUsd,
    run: (id: string) => store.get<Run>(RUNS, id),
    runOfDataset: (id: string) => runs().find((run) => run.datasetId === id),
    runOfStore: (id: string) => runs().find((run) => run.storeId === id),
    input: (run: Run) => store.get<ActorInput>(INPUTS, run.id) ?? {},
    creditLeftUsd: () => credit().usd - (spentUsd() - credit().spentBefore),
    setCreditUsd: (usd: number) => store.put(CREDIT, 'account', { usd, spentBefore: spentUsd() }),
    /** The rows that a reader sees now. */
    items(run: Run): object[] {
      const seen = itemsSeenAt(run, Date.now());
      const blocks = Math.ceil(seen / BLOCK);
      const rows = Array.from(
        { length: blocks },
        (_, block) => store.get<object[]>(ITEMS, `${run.datasetId}:${block}`) ?? [],
      );
      return rows.flat().slice(0, seen);
    },
    start(actor: Actor, input: ActorInput, options: RunOptions): Run {
      const { items, plan } = planOf(actor, input, { options, inMs });
      const run: Run = {
        ...plan,
        id: newId(),
        actorId: actor.id,
        actor: `${actor.username}/${actor.name}`,
        buildNumber: /^\d+\.\d+(\.\d+)?$/.test(options.build) ? options.build : actor.buildNumber,
        datasetId: newId(),
        storeId: newId(),
        queueId: newId(),
        options,
        pricePerItem: actor.pricePerItem(input),
        inputBytes: JSON.stringify(input).length,
      };
      store.batch(() => {
        store.put(INPUTS, run.id, input);
        for (let block = 0; block * BLOCK < items.length; block += 1) {
          const rows = items.slice(block * BLOCK, (block + 1) * BLOCK);
          store.put(ITEMS, `${run.datasetId}:${block}`, rows);
        }
        store.put(RUNS, run.id, run);
      });
      return run;
    },
    /** A run that is over, or about to be, is left as it is. */
    abort(run: Run, gracefully: boolean): Run {
      const now = Date.now();
      const status = statusAt(run, now);
      if (status !== 'READY' && status !== 'RUNNING') return run;
      const goneAtMs = now + (gracefully ? inMs(GRACE_MS) : 0);
      const aborted = { ...run, abortedAtMs: now, goneAtMs, statusMessage: 'Actor was aborted' };
      store.put(RUNS, run.id, aborted);
      return aborted;
    },
    /** Resolves when the run is over, or after `seconds` of world time. */
    async waitForFinish(id: string, seconds: number): Promise<void> {
      const until = Date.now() + inMs(seconds * 1_000);
      for (;;) {
        const run = store.get<Run>(RUNS, id);
        const now = Date.now();
        if (run === undefined || isFinished(run, now) || now >= until) return;
        if (core.closing.aborted) return;
        // It may be aborted while we wait.
        await core.pause(Math.min(100, Math.max(1, Math.min(finishAtMs(run), until) - now)));
      }
    },
    /** As `GET /_sandbox/books` shows them. */
    shown: () => ({
      runs: runs().map((run) => ({
        id: run.id,
        actor: run.actor,
        status: statusAt(run, Date.now()),
        startedAt: new Date(run.startedAtMs).toISOString(),
        itemsCount: itemsSeenAt(run, Date.now()),
      })),
      spentUsd: rounded(spentUsd()),
      creditLeftUsd: rounded(credit().usd - (spentUsd() - credit().spentBefore)),
    }),
  };
}

interface Planning {
  options: RunOptions;
  inMs: (worldMs: number) => number;
}

function planOf(actor: Actor, input: ActorInput, { options, inMs }: Planning) {
  const work = actor.work(input);
  const { maxTotalChargeUsd = Number.POSITIVE_INFINITY, timeoutSecs } = options;
  const affordable = Math.floor(maxTotalChargeUsd / actor.pricePerItem(input) + 1e-9);
  const timeoutMs = timeoutSecs === 0 ? Number.POSITIVE_INFINITY : timeoutSecs * 1_000;
  const isLate = work.durationMs > timeoutMs;
  const inTime = isLate ? Math.floor((work.items.length * timeoutMs) / work.durationMs) : Infinity;
  const items = work.items.slice(0, Math.min(affordable, inTime));
  const startedAtMs = Date.now();
  const runsAtMs = startedAtMs + inMs(READY_MS);
  const plan = {
    startedAtMs,
    runsAtMs,
    endsAtMs: runsAtMs + inMs(Math.min(work.durationMs, timeoutMs)),
    outcome: isLate ? ('TIMED-OUT' as const) : work.outcome,
    statusMessage: isLate ? 'The Actor timed out.' : work.statusMessage,
    itemsCount: items.length,
    lagMs: inMs(LAG_MS),
  };
  return { items, plan };
}

const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 17 letters and digits, as the platform's ids are. */
const newId = (): string =>
  Array.from(randomBytes(17), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
