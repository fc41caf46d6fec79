/** Who has to get messages again, at a corrected address or after a suppression: choices 142, 143 and 151. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Book, ClosedBy } from '../book.ts';

export interface EndOfRecipient {
  campaign_id: number;
  lead_id: number;
  status: string;
  hold_reason: string | null;
}

/** What ends a sequence whatever address the lead gets. */
const FOR_GOOD: readonly ClosedBy[] = [
  'replied',
  'answered',
  'company_replied',
  'rejected',
  'unsubscribed',
  'complained',
  'erased',
  'deleted',
  'removed',
];

const OF_THE_ADDRESS: readonly (string | null)[] = ['no_email', 'duplicate_address'];

/** What is wrong with the end of a lead whose address may be written to; undefined: nothing. */
export function owed(
  book: Book,
  { campaign_id: campaignId, lead_id: leadId, status, hold_reason: reason }: EndOfRecipient,
  /** Whether the campaign has written to that address, as that of any lead. */
  isWritten: (campaignId: number, address: string) => boolean,
): string | undefined {
  if (!mayBeWrittenTo(book, campaignId, leadId)) return undefined;
  if (reason === 'suppressed' && status !== 'removed') {
    return 'is left out as suppressed, and nobody wants that any more';
  }
  const address = book.addresses.get(leadId)!.now();
  const isFree = !book.isShared(leadId, address, Infinity) && !isWritten(campaignId, address);
  if (!isFree || book.verdicts.get(leadId)!.now().status === 'invalid') return undefined;
  if (status === 'bounced') return 'has bounced at the address of before';
  if (status === 'skipped' && OF_THE_ADDRESS.includes(reason)) {
    return `is left out (${reason}) for the address of before`;
  }
  const isElsewhere = book.expiries.of(campaignId, leadId).every(({ to }) => to !== address);
  if (reason === 'undelivered' && status !== 'removed' && isElsewhere) {
    return 'waits for a message that expired at the address of before';
  }
  return undefined;
}

function mayBeWrittenTo(book: Book, campaignId: number, leadId: number): boolean {
  const address = book.addresses.get(leadId)?.now() ?? '';
  const by = book.closedBy(campaignId, leadId);
  return (
    address !== '' &&
    book.people.has(leadId) &&
    !book.campaign(campaignId).isCancelled &&
    !FOR_GOOD.some((one) => by.has(one)) &&
    !book.keepsWish(leadId) &&
    !book.isClosedAddress(address) &&
    !book.bouncedAddresses.has(address)
  );
}

/** To which addresses each campaign has written, or tried to, as those of whatever leads. */
export async function addressesOf(
  db: Kysely<Database>,
  campaignIds: readonly number[],
): Promise<(campaignId: number, address: string) => boolean> {
  const { rows } = await sql<{ key: string }>`
    select distinct campaign_id || '/' || email_key as key from sends
    where campaign_id = any (${[...campaignIds]}::bigint[]) and state <> 'deferred'`.execute(db);
  const written = new Set(rows.map(({ key }) => key));
  return (campaignId, address) => written.has(`${campaignId}/${address}`);
}
