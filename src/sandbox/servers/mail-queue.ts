/** The queues of all mail hosts: outgoing messages, journalled, retried, bounced. */
import PQueue from 'p-queue';
import type { SandboxCore } from '../core.ts';

export interface QueuedMessage {
  id: string;
  /** The host that sends it; `outside` = the mail exchangers. */
  origin: string;
  helo: string;
  /** Envelope; an empty sender is a bounce. */
  from: string;
  to: string;
  textId: string;
  attempts: number;
  queuedAtMs: number;
  nextAttemptAtMs: number;
}

export interface NewQueuedMessage {
  origin: string;
  helo: string;
  from: string;
  to: string[];
  raw: Buffer;
}

/** The next hop's reply: `permanent` is a 5xx, otherwise delivery is retried. */
export class DeliveryRefused extends Error {
  override name = 'DeliveryRefused';
  readonly permanent: boolean;

  constructor(permanent: boolean, reply: string) {
    super(reply);
    this.permanent = permanent;
  }
}

export interface MailQueue {
  /** Adds one entry per recipient, on disk before it answers the queue id of the first. */
  add(message: NewQueuedMessage): string;
  /** Resumes what an earlier process left. */
  start(): void;
  list(): QueuedMessage[];
}

export interface QueueRules {
  /** Throws `DeliveryRefused`, or any other error for a failure that may pass. */
  deliver(message: QueuedMessage, raw: Buffer): Promise<void>;
  /** Called when a message is given up. */
  giveUp(message: QueuedMessage, raw: Buffer, reply: string): void;
}

const QUEUE = 'mail-queue';
const TEXTS = 'mail-queue-texts';
/** Concurrent SMTP sessions, all hosts together. */
const MAX_SESSIONS = 20;
/** First delay before a retry; each delay is twice the last, up to the longest. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** A real host gives up after five days; no test waits that long. */
const GIVE_UP_MS = 600_000;

export function createMailQueue(core: SandboxCore, rules: QueueRules): MailQueue {
  const { store } = core;
  const sessions = new PQueue({ concurrency: MAX_SESSIONS });

  /** Delivers one message, with retries, until it is delivered or given up. */
  const follow = async (message: QueuedMessage): Promise<void> => {
    let current = message;
    while (!core.closing.aborted) {
      const waitMs = Math.max(0, current.nextAttemptAtMs - Date.now());
      await core.wait(waitMs * core.options.pace);
      const message = current;
      const problem = await sessions.add(() => attempt(message));
      if (problem === undefined) return remove(current);
      if (core.closing.aborted) return;
      if (problem.permanent || Date.now() - current.queuedAtMs > GIVE_UP_MS / core.options.pace) {
        rules.giveUp(current, textOf(current), problem.message);
        return remove(current);
      }
      current = postponed(current);
    }
  };

  const textOf = (message: QueuedMessage): Buffer =>
    Buffer.from(store.get<{ raw: string }>(TEXTS, message.textId)!.raw, 'latin1');

  /** Undefined when the next hop has taken the message. */
  const attempt = async (message: QueuedMessage): Promise<DeliveryRefused | undefined> => {
    if (core.closing.aborted) return new DeliveryRefused(false, 'this machine is going down');
    try {
      await rules.deliver(message, textOf(message));
      return undefined;
    } catch (error) {
      if (error instanceof DeliveryRefused) return error;
      return new DeliveryRefused(false, `4.4.1 ${(error as Error).message}`);
    }
  };

  const postponed = (message: QueuedMessage): QueuedMessage => {
    const waitMs = Math.min(RETRY_MS * 2 ** message.attempts, MAX_RETRY_MS) / core.options.pace;
    const nextAttemptAtMs = Date.now() + waitMs;
    const later = { ...message, attempts: message.attempts + 1, nextAttemptAtMs };
    store.put(QUEUE, message.id, later);
    return later;
  };

  const remove = (message: QueuedMessage): void => {
    store.delete(QUEUE, message.id);
    store.delete(TEXTS, message.textId);
  };

  return {
    add({ to, raw, ...rest }) {
      const ids = to.map((recipient) => {
        const id = String(store.nextId(QUEUE));
        const now = Date.now();
        const times = { attempts: 0, queuedAtMs: now, nextAttemptAtMs: now };
        const message = { ...rest, ...times, id, to: recipient, textId: id };
        store.put(TEXTS, id, { raw: raw.toString('latin1') });
        store.put(QUEUE, id, message);
        return message;
      });
      for (const message of ids) void follow(message);
      return ids[0]?.id ?? '0';
    },
    start() {
      for (const message of store.list<QueuedMessage>(QUEUE)) void follow(message);
    },
    list: () => store.list<QueuedMessage>(QUEUE),
  };
}
