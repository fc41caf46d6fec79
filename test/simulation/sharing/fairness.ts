/** Whether campaigns that share mailboxes share them fairly. */
import { isHeld } from '../address-rules.ts';
import type { Book } from '../book.ts';
import { isOpen, type Observed } from '../rules.ts';

type Opening = Pick<Observed, 'at' | 'campaignId' | 'leadId'>;

/**
 * While both want the same mailboxes in open windows, the small campaign is not starved. It wants them while somebody
 * of it waits for the first message who may get it: after those of the beginning clients add others. `openings`: all
 * first messages in their order; who begins anew has not waited since the beginning.
 */
export function unfair(book: Book, openings: readonly Opening[], mailboxes: number): string[] {
  const campaign = book.campaigns.find(({ isSmall }) => isSmall)!;
  const { id } = campaign;
  const own = new Map<number, number>();
  for (const { campaignId, leadId, at } of openings) {
    if (campaignId === id && !own.has(leadId)) own.set(leadId, at);
  }
  const times = [...own.values()].toSorted((a, b) => a - b);
  const half = times[Math.floor(times.length / 2)];
  if (half === undefined) return [];
  // In the zones of recipients some are open and others closed: then nothing can be said.
  const isOpenAt = (at: number) =>
    book.isActiveAt(id, at) &&
    campaign.window.at(at).some((window) => window.isOfRecipient !== true && isOpen(window, at));
  const isWanting = (at: number) =>
    isOpenAt(at) &&
    [...own].some(
      ([leadId, until]) =>
        at <= until &&
        at >= (campaign.joined.get(leadId) ?? -Infinity) &&
        mayBegin(book, { campaignId: id, leadId, at }),
    );
  const others = openings.filter(
    ({ campaignId, at }) => campaignId !== id && at >= times[0]! && at <= half && isWanting(at),
  ).length;
  // The alternation is not exact.
  const most = 3 * times.length + 30 * mailboxes;
  return others > most ? [`the small campaign waited for ${others} messages of the large one`] : [];
}

/** Neither a client nor what is about its address keeps the lead back. */
function mayBegin(book: Book, { campaignId, leadId, at }: Opening): boolean {
  if (book.isLeadPausedAt(campaignId, leadId, at)) return false;
  return book
    .addressesAt(leadId, at)
    .some(
      (to) =>
        to !== '' &&
        (book.closedSince({ campaignId, leadId, at, to }) ?? Infinity) >= at &&
        book
          .verdictsAt(leadId, at)
          .some(
            (verdict) =>
              verdict.status !== 'invalid' &&
              book.choicesAt(campaignId, at).some((choice) => !isHeld(choice, verdict, to)),
          ),
    );
}
