/** One row of a file of mailboxes: logs in once to each server, sends its message, and waits for it in IDLE. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { findLoginToProve, type ProvenLogin } from '../../src/db/mailboxes/connected-mailboxes.ts';
import { updateImportRow, type RowId } from '../../src/db/mailboxes/mailbox-imports.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import { hostsOf } from '../../src/domain/mailboxes/mailbox-imports.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import type { BegunRow } from '../../src/transactions/mailbox-imports.ts';
import {
  notDelivered,
  problemOf,
  proofMessage,
  seenBy,
  takeOut,
  TRIES,
  type Protocol,
} from './connection-proof.ts';
import type { LoginGates } from './login-gates.ts';

/** A host that does not answer gets this much more time with each try, at pace 1. */
const RETRY_AFTER_MS = 5_000;
/** Looks beside IDLE, which tells of the inbox alone and which some servers lack: at first often, then rarely. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;

export interface ProofTools {
  context: Pick<Context, 'db' | 'clock' | 'config' | 'cipher' | 'mailTransport'>;
  gates: LoginGates;
  signal: AbortSignal;
  retryPace: number;
}

/**
 * Resolves once the mailbox is proven. Throws what its owner has to cure as an OutreachError with a code of
 * connections. May be repeated at any point: what was handed over is looked for before it is sent again.
 */
export async function proveRow(
  tools: ProofTools,
  id: RowId,
  { mailboxId, sentAt }: BegunRow,
): Promise<void> {
  const { context, gates, signal } = tools;
  const login = await findLoginToProve(context, mailboxId);
  if (!login) throw invalid('MAILBOX_NOT_FOUND', 'The mailbox has been deleted meanwhile');
  const noteSeen = seenBy(context, mailboxId);
  let imap: ImapSession | undefined;
  try {
    const handedOver = await gates.through(hostsOf(login.access.servers), signal, async () => {
      imap = await tried(tools, login, 'IMAP', () => context.mailTransport.openImap(login.access));
      if (sentAt !== null) return sentAt;
      // What comes in from here on is told in IDLE.
      await openInbox(login, imap);
      return send(tools, login, id);
    });
    const mayBeThere = sentAt !== null;
    await untilFound(tools, login, { imap: imap!, handedOver, mayBeThere, noteSeen });
  } finally {
    await imap?.close();
  }
}

async function openInbox(login: ProvenLogin, imap: ImapSession): Promise<void> {
  try {
    await imap.open('INBOX');
  } catch (error) {
    throw problemOf(login, 'IMAP', { error, isLate: true });
  }
}

/** Logs in by SMTP, hands the message over, and notes when. */
async function send(tools: ProofTools, login: ProvenLogin, id: RowId): Promise<Date> {
  const { db, clock, mailTransport } = tools.context;
  await tried(tools, login, 'SMTP', async () => {
    try {
      await mailTransport.submit(login.access, proofMessage(login));
    } catch (error) {
      // It may have gone out: whether it has is seen by IMAP.
      if (!(error instanceof ProviderError && error.kind === 'outcome_unknown')) throw error;
    }
  });
  const now = clock.now();
  await updateImportRow(db, id, { sent_at: now });
  return now;
}

async function untilFound(
  { context, signal }: ProofTools,
  login: ProvenLogin,
  of: {
    imap: ImapSession;
    handedOver: Date;
    mayBeThere: boolean;
    noteSeen: () => Promise<void>;
  },
): Promise<void> {
  const { imap, handedOver, mayBeThere, noteSeen } = of;
  const until = handedOver.getTime() + context.config.MAILBOX_PROOF_SECONDS * 1_000;
  const leftMs = () => until - context.clock.now().getTime();
  try {
    if (mayBeThere && (await takeOut(imap, login, noteSeen))) return;
    for (let waitMs = FIRST_LOOK_MS; leftMs() > 0; waitMs = Math.min(waitMs * 2, LONGEST_LOOK_MS)) {
      await changeIn(imap, Math.min(waitMs, Math.max(1, leftMs())), signal);
      signal.throwIfAborted();
      if (await takeOut(imap, login, noteSeen)) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(login, 'IMAP', { error, isLate: true });
  }
  throw notDelivered(login);
}

/** A server that tells of changes without end is still not asked more often than this. */
const SHORTEST_LOOK_MS = 100;

async function changeIn(imap: ImapSession, limitMs: number, signal: AbortSignal): Promise<void> {
  await Promise.all([imap.idle(limitMs, signal), sleep(SHORTEST_LOOK_MS)]);
}

/** Tries a host some times; meanwhile others wait for its gate, so that a host in trouble hears less of us. */
async function tried<T>(
  { signal, retryPace }: ProofTools,
  login: ProvenLogin,
  protocol: Protocol,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const problem = problemOf(login, protocol, { error, isLate: attempt >= TRIES });
      if (problem !== error) throw problem;
      if (!(error instanceof ProviderError) || attempt >= TRIES) throw error;
      await sleep(RETRY_AFTER_MS * attempt * retryPace, undefined, { signal });
    }
  }
}
