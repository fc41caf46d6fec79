/** Whether campaigns that share mailboxes share them fairly. */
import type { Book } from './book.ts';
import { isOpen, type Observed } from './rules.ts';

/** While both want the same mailboxes in open windows, the small campaign is not starved. */
export function unfair(book: Book, begun: Iterable<Observed>, mailboxes: number): string[] {
  const firsts = [...begun].filter(({ step }) => step === 0);
  const { id } = book.campaigns.find(({ isSmall }) => isSmall)!;
  const small = firsts.filter(({ campaignId }) => campaignId === id).map(({ at }) => at);
  const half = small.toSorted((a, b) => a - b)[Math.floor(small.length / 2)];
  if (half === undefined) return [];
  const from = Math.min(...small);
  // In the zones of recipients some are open and others closed: then nothing can be said.
  const isWanting = (at: number) =>
    book.isActiveAt(id, at) &&
    book
      .campaign(id)
      .window.at(at)
      .some((window) => window.isOfRecipient !== true && isOpen(window, at));
  const others = firsts.filter(
    ({ campaignId, at }) => campaignId !== id && at >= from && at <= half && isWanting(at),
  ).length;
  // The alternation is not exact.
  const most = 3 * small.length + 30 * mailboxes;
  return others > most ? [`the small campaign waited for ${others} messages of the large one`] : [];
}
