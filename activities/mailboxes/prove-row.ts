/** One row of a file of mailboxes: logs in once to each server, sends its message, and waits for it in IDLE. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import type { ProvenLogin } from '../../src/db/mailboxes/connected-mailboxes.ts';
import { updateImportRow, type RowId } from '../../src/db/mailboxes/mailbox-imports.ts';
import { OutreachError, ProviderError } from '../../src/domain/errors.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { whileWaiting } from '../../src/tracing/waits.ts';
import type { BegunRow } from '../../src/transactions/mailboxes/mailbox-imports.ts';
import {
  loginToProve,
  notDelivered,
  problemOf,
  seenBy,
  submitProof,
  takeOut,
  type Protocol,
} from './connection-proof.ts';
import type { LoginGates } from './login-gates.ts';

/** A host that does not answer gets this much more time with each try, at pace 1. */
const RETRY_AFTER_MS = 10_000;
/** Looks beside IDLE, which tells of the inbox alone and which some servers lack: at first often, then rarely. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;

export interface ProofTools {
  context: Pick<Context, 'db' | 'clock' | 'config' | 'cipher' | 'mailTransport' | 'dns'>;
  gates: LoginGates;
  signal: AbortSignal;
  retryPace: number;
}

/** A mailbox whose message was handed over, and the session in which it will be found. */
export interface HandedOver {
  mailboxId: number;
  login: ProvenLogin;
  imap: ImapSession;
  at: Date;
  /** It was handed over by an earlier attempt. */
  mayBeThere: boolean;
}

/**
 * Logs in to both servers and hands the message over. What was handed over before is not sent again. Throws what its
 * owner has to cure as an OutreachError with a code of connections.
 */
export async function handOver(
  tools: ProofTools,
  id: RowId,
  { mailboxId, sentAt }: BegunRow,
): Promise<HandedOver> {
  const login = await loginToProve(tools.context, mailboxId);
  const imap = await openInbox(tools, login);
  if (sentAt !== null) return { mailboxId, login, imap, at: sentAt, mayBeThere: true };
  try {
    const at = await send(tools, login, id);
    return { mailboxId, login, imap, at, mayBeThere: false };
  } catch (error) {
    await imap.close();
    throw error;
  }
}

/** A session with the inbox selected: what comes in from here on is told in IDLE. */
const openInbox = (tools: ProofTools, login: ProvenLogin): Promise<ImapSession> =>
  tried(tools, login, 'IMAP', async () => {
    const imap = await tools.context.mailTransport.openImap(login.access);
    try {
      await imap.open('INBOX');
      return imap;
    } catch (error) {
      await imap.close();
      throw error;
    }
  });

/** Logs in by SMTP, hands the message over, and notes when. */
async function send(tools: ProofTools, login: ProvenLogin, id: RowId): Promise<Date> {
  const { db, clock } = tools.context;
  await tried(tools, login, 'SMTP', () => submitProof(tools.context, login));
  const now = clock.now();
  await updateImportRow(db, id, { sent_at: now });
  return now;
}

/**
 * Resolves once the mailbox is proven: its message was found, and deleted. Servers end sessions as they like, in IDLE
 * above all; another one looks on then, until the time is over.
 */
export async function untilFound(
  tools: ProofTools,
  { mailboxId, login, imap, at, mayBeThere }: HandedOver,
): Promise<void> {
  const { context, signal } = tools;
  const proven = { ...login };
  const noteSeen = async () => {
    await seenBy(context, mailboxId, login)();
    proven.isSeen = true;
  };
  const until = at.getTime() + context.config.MAILBOX_PROOF_SECONDS * 1_000;
  const leftMs = () => until - context.clock.now().getTime();
  let session = imap;
  let trouble: unknown;
  let pauseMs = FIRST_LOOK_MS;
  // What came in while there was no session is looked for at once, also when the time is over by then.
  let isNew = mayBeThere;
  let isOver = false;
  try {
    for (; isNew || leftMs() > 0; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
      try {
        if (!isNew) await changeIn(session, Math.min(pauseMs, Math.max(1, leftMs())), signal);
        signal.throwIfAborted();
        if (await takeOut(session, proven, noteSeen)) return;
        isNew = false;
        trouble = undefined;
      } catch (error) {
        trouble = error;
        if (isOver) break;
        isOver = leftMs() <= 0;
        session = await reopened(tools, login, { session, error, pauseMs, leftMs });
        isNew = true;
      }
    }
  } finally {
    await session.close();
  }
  if (trouble === undefined) throw notDelivered(login);
  throw problemOf(login, 'IMAP', { error: trouble, isLate: true });
}

interface Ended {
  session: ImapSession;
  error: unknown;
  pauseMs: number;
  leftMs: () => number;
}

/** Another session in place of one that ended, after a wait. Throws what no session would cure. */
async function reopened(
  tools: ProofTools,
  login: ProvenLogin,
  { session, error, pauseMs, leftMs }: Ended,
): Promise<ImapSession> {
  const { gates, signal, retryPace } = tools;
  signal.throwIfAborted();
  await session.close();
  const problem = problemOf(login, 'IMAP', { error, isLate: false });
  if (!mayPass(problem)) throw problem;
  const hosts = [login.access.servers.imap.host];
  for (let waitMs = pauseMs; ; waitMs = Math.min(waitMs * 2, LONGEST_LOOK_MS)) {
    await sleep(waitMs * retryPace, undefined, { signal });
    try {
      return await gates.through(hosts, signal, () => openInbox(tools, login));
    } catch (again) {
      if (!isUnreachable(again) || leftMs() <= 0) throw again;
    }
  }
}

/** A server that tells of changes without end is still not asked more often than this. */
const SHORTEST_LOOK_MS = 100;

async function changeIn(imap: ImapSession, limitMs: number, signal: AbortSignal): Promise<void> {
  await Promise.all([imap.idle(limitMs, signal), sleep(SHORTEST_LOOK_MS)]);
}

/** Tries a host some times; meanwhile others wait for its gate, so that a host in trouble hears less of us. */
async function tried<T>(
  { gates, signal, retryPace }: ProofTools,
  login: ProvenLogin,
  protocol: Protocol,
  work: () => Promise<T>,
): Promise<T> {
  const { smtp, imap } = login.access.servers;
  const { host } = protocol === 'SMTP' ? smtp : imap;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      const done = await work();
      gates.note(host, true);
      return done;
    } catch (error) {
      const isLate = attempt >= gates.triesAt(host);
      const problem = problemOf(login, protocol, { error, isLate });
      const isSilent = mayPass(problem);
      if (isLate) gates.note(host, !isSilent && !isUnreachable(problem));
      if (!isSilent || isLate) throw problem;
      const waitMs = RETRY_AFTER_MS * attempt * retryPace;
      await whileWaiting(`${host}, before it is tried again`, () =>
        sleep(waitMs, undefined, { signal }),
      );
    }
  }
}

/** What an owner has to cure is an OutreachError by now. */
const mayPass = (problem: unknown): boolean => problem instanceof ProviderError;

const isUnreachable = (problem: unknown): boolean =>
  problem instanceof OutreachError && problem.code === 'HOST_UNREACHABLE';
