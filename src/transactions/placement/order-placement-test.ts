/** Orders a placement test: its row, its messages and the intent to start the workflow. Choice 124. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { takeHourly } from '../../db/accounts/hourly-limits.ts';
import { findUserCampaign } from '../../db/campaigns/campaigns.ts';
import { findUserMailbox } from '../../db/mailboxes/mailboxes.ts';
import { insertOperation, type Operation } from '../../db/operations/operations.ts';
import { insertPlacementMessages } from '../../db/placement/placement-messages.ts';
import { listSeeds, type PlacementSeed } from '../../db/placement/placement-seeds.ts';
import {
  countTestsAtWork,
  findMailboxToTest,
  insertPlacementTest,
  type PlacementTest,
} from '../../db/placement/placement-tests.ts';
import { readMailboxStanding } from '../../db/sending/mailbox-standing.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound, OutreachError } from '../../domain/errors.ts';
import type { Pace } from '../../domain/operations/operations.ts';
import { testPlacementFlow } from '../../domain/placement/flows.ts';
import {
  MOST_TESTS_AT_ONCE,
  TESTS_AN_HOUR,
  type PlacementTestOrder,
} from '../../domain/placement/placement.ts';
import { renderTestMessage } from './test-message.ts';

export interface PlacementTestRequest {
  userId: string;
  order: PlacementTestOrder;
  pace: Pace;
  requested: { actor: string; reason: string };
  requestKey?: string | undefined;
}

/** Throws what its owner has to cure; then what was written MUST be rolled back. */
export async function orderPlacementTest(
  trx: Transaction<Database>,
  { userId, order, pace, requested, requestKey }: PlacementTestRequest,
): Promise<{ operation: Operation; test: PlacementTest }> {
  const { campaignId, step, variant, leadId: asked } = order;
  if (!(await findUserCampaign(trx, userId, campaignId))) {
    throw notFound('campaign', { field: 'campaignId', ids: [campaignId] });
  }
  const seeds = await seedsOf(trx, userId, order.seedIds);
  const mailbox = await mailboxOf(trx, userId, order);
  const tested = { userId, campaignId, mailbox, step, variant, leadId: asked };
  const { leadId } = await renderTestMessage(trx, tested, undefined);
  await keepToLimits(trx, userId);
  const { minInboxPercent, holdOnBadPlacement } = order;
  const test = await insertPlacementTest(trx, {
    userId,
    campaignId,
    mailboxId: mailbox.id,
    step,
    variant,
    leadId,
    minInboxPercent,
    holdOnBadPlacement,
  });
  const domain = mailbox.email.slice(mailbox.email.lastIndexOf('@') + 1);
  await insertPlacementMessages(
    trx,
    { testId: test.id, mailboxId: mailbox.id },
    seeds.map((seed) => ({ seed, messageId: messageIdAt(domain) })),
  );
  const operation = await insertOperation(
    trx,
    testPlacementFlow,
    { testId: test.id, pace },
    {
      userId,
      summary: `See where a message of campaign ${campaignId} lands in ${seeds.length} mailboxes`,
      requested,
      requestKey,
    },
  );
  return { operation, test };
}

/** The first also makes orders of an account wait for each other. What is refused is rolled back and does not count. */
async function keepToLimits(trx: Transaction<Database>, userId: string): Promise<void> {
  const seconds = await takeHourly(trx, `placement-test:${userId}`, TESTS_AN_HOUR);
  if (seconds !== undefined) {
    throw tooMany(`${TESTS_AN_HOUR} placement tests an hour, try again in ${seconds} seconds`);
  }
  if ((await countTestsAtWork(trx, userId)) >= MOST_TESTS_AT_ONCE) {
    throw tooMany(`${MOST_TESTS_AT_ONCE} placement tests at once, try again when one has ended`);
  }
}

const tooMany = (what: string) =>
  new OutreachError('rate_limited', 'RATE_LIMITED', `No more than ${what}`);

/** Throws not_found where a mailbox or a seed that is named is not the user's. */
export async function findPlaces(
  trx: Transaction<Database>,
  userId: string,
  { mailboxId, seedIds = [] }: Pick<PlacementTestOrder, 'mailboxId' | 'seedIds'>,
): Promise<void> {
  if (mailboxId !== undefined && !(await findUserMailbox(trx, userId, mailboxId))) {
    throw noMailbox(mailboxId);
  }
  await namedSeeds(trx, userId, seedIds);
}

/** All of them, each once. */
async function namedSeeds(
  trx: Transaction<Database>,
  userId: string,
  ids: readonly number[],
): Promise<PlacementSeed[]> {
  const seeds = ids.length === 0 ? [] : await listSeeds(trx, userId, ids);
  const found = new Set(seeds.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !found.has(id));
  if (missing.length === 0) return seeds;
  throw notFound('placement seed', { field: 'seedIds', ids: missing });
}

const noMailbox = (id: number) => notFound('mailbox', { field: 'mailboxId', ids: [id] });

async function seedsOf(
  trx: Transaction<Database>,
  userId: string,
  asked: number[] | undefined,
): Promise<PlacementSeed[]> {
  const seeds = asked ? await namedSeeds(trx, userId, asked) : await listSeeds(trx, userId);
  if (seeds.length === 0) {
    throw invalid('NO_SEEDS', 'A test needs a seed mailbox: POST /v1/placement/seeds');
  }
  return seeds;
}

async function mailboxOf(
  trx: Transaction<Database>,
  userId: string,
  { campaignId, mailboxId }: PlacementTestOrder,
): Promise<{ id: number; email: string }> {
  const field = 'mailboxId';
  if (mailboxId === undefined) {
    const found = await findMailboxToTest(trx, campaignId);
    if (found) return found;
    const message = 'The campaign has no mailbox that can send';
    throw invalid('CAMPAIGN_NOT_READY', message, [{ field, message }]);
  }
  const mailbox = await findUserMailbox(trx, userId, mailboxId);
  if (!mailbox) throw noMailbox(mailboxId);
  const standing = await readMailboxStanding(trx, mailboxId, new Date());
  if (standing?.hold === null) return mailbox;
  const message = standing
    ? `${mailbox.email} sends nothing now: ${standing.hold}`
    : `${mailbox.email} is ${mailbox.status}, and sends nothing`;
  throw invalid('INVALID_STATE', message, [{ field, message }]);
}

/** As long as those of campaigns, and as little to be guessed. */
const messageIdAt = (domain: string) => `<${randomBytes(20).toString('base64url')}@${domain}>`;
