/** Clients who correct addresses: new ones, those of before, none for a while, those of other leads; some are suppressed for a while. */
import type { LeadChanges } from '../../../src/services/leads/lead-changes.ts';
import { UNVERIFIED, type Verdict } from '../address-rules.ts';
import type { Book } from '../book.ts';

/** Of a look of the clients, which is every half an hour. */
const CHANCE = 0.03;
const DAY = 86_400_000;

interface World {
  book: Book;
  random: () => number;
  now: () => number;
  /** The domain of the n-th new address. */
  domainOf: (n: number) => string;
}

interface Ways {
  /** Whether the product has taken the change. */
  change: (leadId: number, changes: LeadChanges) => Promise<boolean>;
  /** Whether a campaign has a message to the lead. */
  isWrittenTo: (leadId: number) => Promise<boolean>;
  suppress: (address: string) => Promise<void>;
  lift: (address: string) => Promise<void>;
  runSerially: (leadId: number, work: () => Promise<void>) => Promise<void>;
}

/** Now and then one of them, more often that of a lead which has some trouble with its address. */
export function createCorrectionActs(
  { book, random, now, domainOf }: World,
  { change, isWrittenTo, suppress, lift, runSerially }: Ways,
): () => Promise<void> {
  let marks = 0;
  /** By address, when the client thinks better of it. */
  const forAWhile = new Map<string, number>();
  const pick = <T>(items: readonly T[]): T | undefined =>
    items[Math.floor(random() * items.length)];
  const addressOf = (leadId: number) => book.addresses.get(leadId)!.now();
  const fresh = () => `fixed${(marks += 1)}@again${marks}-${domainOf(marks)}`;

  /** The book is ahead of the product, since a message may go to the new address before the change is answered. */
  async function move(leadId: number, address: string, verdict: Verdict = UNVERIFIED) {
    const [addresses, verdicts] = [book.addresses.get(leadId)!, book.verdicts.get(leadId)!];
    const changes =
      address === ''
        ? { personEmail: null, personPhone: `+49 30 ${1_000_000 + leadId}` }
        : { personEmail: address };
    let isDone = false;
    await runSerially(leadId, async () => {
      const before = { address: addresses.now(), verdict: verdicts.now() };
      addresses.set(address, now());
      verdicts.set(verdict, now());
      isDone = await change(leadId, changes);
      if (isDone) return;
      addresses.set(before.address, now());
      verdicts.set(before.verdict, now());
    });
    return isDone;
  }

  const isTroubled = (leadId: number) =>
    addressOf(leadId) === '' ||
    book.bouncedAddresses.has(addressOf(leadId)) ||
    book.isClosedAddress(addressOf(leadId)) ||
    book.verdicts.get(leadId)!.now().status === 'invalid' ||
    book.campaigns.some(({ id }) => book.expiries.of(id, leadId).length > 0);

  /** An address that the lead had, and nobody has now. */
  function former(leadId: number): string | undefined {
    const had = book.addresses.get(leadId)!.during(-Infinity, now());
    return pick(
      had
        .map(({ value }) => value)
        .filter(
          (one) => one !== '' && one !== addressOf(leadId) && !book.isShared(leadId, one, now()),
        ),
    );
  }

  /** The lead is left out, as the one that has its address already, until that one has another. */
  async function takeFrom(leadId: number, other: number): Promise<void> {
    const theirs = addressOf(other);
    // What comes for the address later would concern both.
    if (theirs === '' || (await isWrittenTo(other))) return;
    if (!(await move(leadId, theirs, book.verdicts.get(other)!.now()))) return;
    await move(other, fresh());
  }

  async function liftDue(): Promise<void> {
    for (const [address, until] of forAWhile) {
      if (until > now()) continue;
      forAWhile.delete(address);
      await lift(address);
    }
  }

  return async () => {
    await liftDue();
    if (random() >= CHANCE) return;
    const people = [...book.people];
    const troubled = people.filter(isTroubled);
    const leadId = pick(troubled.length > 0 && random() < 0.6 ? troubled : people);
    if (leadId === undefined) return;
    const [kind, address] = [random(), addressOf(leadId)];
    const before = kind < 0.15 ? former(leadId) : undefined;
    if (before !== undefined) await move(leadId, before);
    else if (kind < 0.3 && address !== '') await move(leadId, '');
    else if (kind < 0.5) {
      const other = pick(people.filter((one) => one !== leadId));
      if (other !== undefined) await takeFrom(leadId, other);
    } else if (kind < 0.75 && address !== '' && !book.isClosedAddress(address)) {
      forAWhile.set(address, now() + (1 + random() * 6) * DAY);
      await suppress(address);
    } else await move(leadId, fresh());
  };
}
