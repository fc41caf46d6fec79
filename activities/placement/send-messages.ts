/** Sends the messages of a placement test that wait, at most once each: claimed, sending, then how it ended. */
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import {
  claimPlacementMessage,
  finishPlacementSend,
  listPlacementMessages,
  markPlacementSending,
  unclaimPlacementMessage,
  type PlacementMessage,
  type PlacementSlot,
} from '../../src/db/placement/placement-messages.ts';
import { listSeedLogins } from '../../src/db/placement/placement-seeds.ts';
import { isSuppressed } from '../../src/db/sending/message-facts.ts';
import { addressKey, readEmailAddress } from '../../src/domain/email-validation/email-address.ts';
import { invalid, OutreachError, ProviderError } from '../../src/domain/errors.ts';
import { oneLine } from '../../src/domain/campaigns/templates.ts';
import type { PlacementProblem } from '../../src/domain/placement/placement.ts';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import type { RawMessage, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import {
  NO_SEND_ID,
  renderTestMessage,
  type RenderedTest,
} from '../../src/transactions/placement/test-message.ts';
import { earlierMessages, readBefore } from './earlier-messages.ts';
import { decide, fail, inSeeds, untilEnd, type TestTurn } from './test-turn.ts';

/** The server's last reply is kept, up to what a person would read. */
const MAX_REPLY = 300;

const SILENT = [
  'SEED_SILENT',
  'No message was ever found in this seed, so that it gets no more',
] as const;

/** The claim was taken back, or the test is over. */
class NotOurs extends Error {}

/** Only to seeds that can be read: a message that nobody finds says nothing, and counts all the same. */
export async function sendWaiting(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
): Promise<void> {
  const waiting = messages.filter(({ state }) => state === 'waiting');
  const ready: PlacementMessage[] = [];
  const wanted: PlacementMessage[] = [];
  for (const message of waiting) if (await isAllowed(turn, message)) wanted.push(message);
  await inSeeds(turn, wanted, async (seed, message, late) => {
    await readBefore(turn, seed, { message, late });
    if (!late.aborted) ready.push(message);
  });
  // In the order of the seeds, whichever of them answers first.
  const inOrder = ready.toSorted((one, other) => one.id - other.id);
  if (inOrder.length === 0) return;
  try {
    await untilEnd(turn, (late) => sendAll(turn, inOrder, late));
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
    await failRest(turn, error);
  }
}

/** What its owner has to cure ends the test, unless some of its messages are out: they are looked for all the same. */
async function failRest(turn: TestTurn, error: OutreachError): Promise<void> {
  const all = await listPlacementMessages(turn.context.db, [turn.test.id]);
  if (!all.some(({ state }) => OUT.has(state))) throw error;
  const { code, message: words } = error;
  for (const message of all) {
    if (message.state !== 'waiting') continue;
    await decide(turn, message, { outcome: 'failed', error: { code, message: words } });
  }
}

const OUT = new Set<PlacementMessage['state']>(['sending', 'sent', 'uncertain', 'refused']);

/** Half of the time is for looking: what has not gone by then would be looked for too briefly. */
export async function failUnsent(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
): Promise<void> {
  const waiting = messages.filter(({ state }) => state === 'waiting');
  const ids = waiting.flatMap(({ seed_id: id }) => id ?? []);
  const seeds = await listSeedLogins(turn.context, ids);
  const troubles = new Map(seeds.map(({ seedId, trouble }) => [seedId, trouble]));
  for (const message of waiting) {
    const trouble = troubles.get(message.seed_id ?? 0);
    const words = 'The mail server did not take it in time';
    if (trouble) await decide(turn, message, { outcome: 'failed', error: trouble });
    else if ((await earlierMessages(turn, message)).length > 0)
      await fail(turn, message, ...SILENT);
    else await fail(turn, message, 'MESSAGE_DEFERRED', words);
  }
}

async function isAllowed(turn: TestTurn, message: PlacementMessage): Promise<boolean> {
  const { db } = turn.context;
  const address = readEmailAddress(message.address);
  if (address && !(await isSuppressed(db, turn.test.user_id, addressKey(address)))) return true;
  await fail(turn, message, 'RECIPIENT_SUPPRESSED', 'This address is on the suppression list');
  return false;
}

async function sendAll(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
  late: AbortSignal,
): Promise<void> {
  const { context, test, signal } = turn;
  const access = await findMailboxAccess(context, test.mailbox_id);
  if (!access) throw invalid('MAILBOX_NOT_FOUND', 'The mailbox is not active any more');
  const rendered = await renderedFor(turn);
  let session: SubmissionSession | undefined;
  late.addEventListener('abort', () => session?.close(), { once: true });
  try {
    for (const message of messages) {
      signal.throwIfAborted();
      if (!session?.isUsable()) session = await opened(turn, access);
      // The server does not answer: what waits is tried again at the next turn.
      if (!session || late.aborted) return;
      await sendOne(turn, session, { message, rendered });
    }
  } finally {
    session?.close();
  }
}

async function renderedFor({ context, test }: TestTurn): Promise<RenderedTest> {
  const { db, recipientLinks, config } = context;
  if (test.campaign_id === null) {
    throw invalid('CAMPAIGN_NOT_FOUND', 'The campaign was deleted meanwhile');
  }
  const tested = {
    userId: test.user_id,
    campaignId: test.campaign_id,
    mailbox: { id: test.mailbox_id, email: test.email },
    step: test.step,
    variant: test.variant ?? undefined,
    leadId: test.lead_id ?? undefined,
  };
  return renderTestMessage(db, tested, { recipientLinks, linksHost: config.LINKS_HOST });
}

type Access = NonNullable<Awaited<ReturnType<typeof findMailboxAccess>>>;

/** Undefined where it may be tried again later; a refused login ends the test, whose owner has to cure it. */
async function opened(
  { context: { mailTransport, logger }, test }: TestTurn,
  access: Access,
): Promise<SubmissionSession | undefined> {
  try {
    return await mailTransport.openSubmission(access);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected') {
      throw invalid('LOGIN_REFUSED', `The mail server of ${test.email} refuses its login`);
    }
    const { kind } = error;
    logger.warn(
      { testId: test.id, kind },
      'a placement test cannot reach the server of its mailbox',
    );
    return undefined;
  }
}

async function sendOne(
  turn: TestTurn,
  session: SubmissionSession,
  { message, rendered }: { message: PlacementMessage; rendered: RenderedTest },
): Promise<void> {
  const { context, test, claimedBy } = turn;
  const { db, clock, config } = context;
  const { id } = message;
  const raw = await composed(turn, message, rendered);
  const claim = { testId: test.id, id, claimedBy, now: clock.now() };
  const slot = await db.transaction().execute((trx) => claimPlacementMessage(trx, config, claim));
  if (!slot) return;
  if (!slot.granted) {
    await fail(turn, message, ...refusalOf(slot));
    return;
  }
  try {
    await session.send(raw, async () => {
      if (!(await markPlacementSending(db, id, claimedBy))) throw new NotOurs();
    });
    await finishPlacementSend(db, id, claimedBy, { state: 'sent', at: clock.now() });
  } catch (error) {
    await settle(turn, message, error);
  }
}

function refusalOf(slot: Exclude<PlacementSlot, { granted: true }>): [PlacementProblem, string] {
  if (slot.limit === 'held') return ['MAILBOX_HELD', `The mailbox sends nothing now: ${slot.hold}`];
  if (slot.limit === 'silent') return [...SILENT];
  const until = slot.nextAt === null ? '' : ` before ${slot.nextAt.toISOString()}`;
  const whose = slot.limit === 'domain' ? 'domain' : 'mailbox';
  return ['MAILBOX_LIMIT', `The ${whose} may send no further message${until}`];
}

async function settle(turn: TestTurn, message: PlacementMessage, error: unknown): Promise<void> {
  const { context, claimedBy } = turn;
  const { db, clock } = context;
  const takeBack = () => unclaimPlacementMessage(db, message.id, claimedBy);
  if (error instanceof NotOurs) return takeBack();
  if (!(error instanceof ProviderError)) throw error;
  if (error.kind === 'outcome_unknown') {
    return finishPlacementSend(db, message.id, claimedBy, { state: 'uncertain' });
  }
  // A 4xx, or a connection lost before the text: nothing was accepted.
  if (error.kind !== 'rejected') return takeBack();
  const said = shortened(storable(error.facts.reply ?? error.message), MAX_REPLY);
  const refusal = refusedAs(`It was refused: ${said}`);
  const refused = { state: 'refused', at: clock.now(), error: refusal } as const;
  await finishPlacementSend(db, message.id, claimedBy, refused);
}

const refusedAs = (message: string): { code: PlacementProblem; message: string } => ({
  code: 'MESSAGE_REFUSED',
  message,
});

/** As the campaign's messages are, envelope included. */
async function composed(
  { context: { clock, mailTransport, recipientLinks }, test }: TestTurn,
  { address: to, message_id: messageId }: PlacementMessage,
  { content, senderName }: RenderedTest,
): Promise<RawMessage> {
  const { email } = test;
  const raw = await mailTransport.compose({
    from: { address: email, name: oneLine(senderName) },
    to,
    subject: content.subject,
    text: content.text,
    html: content.html ?? undefined,
    messageId,
    date: new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000),
    headers: content.headers,
  });
  const [local, domain] = email.split('@') as [string, string];
  const named = `${local}+b${NO_SEND_ID}-${recipientLinks.messageTag(NO_SEND_ID)}@${domain}`;
  return { from: test.cluster_id === null ? email : named, to, raw };
}
