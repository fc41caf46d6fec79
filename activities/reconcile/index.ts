/** Compares the vendor records with ours, both ways: reports differences, and heals where that is safe. */
import {
  listQuietBooks,
  recordBookCheck,
  recordFindings,
} from '../../src/db/operations/findings.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { HealWords } from '../../src/domain/operations/findings.ts';
import type { ReconcileBooksResult } from '../../workflows/contracts/reconcile.ts';
import type { Found, ReconcileContext } from './book.ts';
import { registrarFindings } from './domains.ts';
import { RUNS_BOOK } from '../../src/db/operations/lost-rows.ts';
import { holdFindings, ledgerFindings, runFindings, workflowFindings } from './ours.ts';
import { paymentFindings } from './payments.ts';
import { serverFindings } from './servers.ts';

export interface BookInput {
  book: string;
  /** `safe`: heals what the Schedule may, and `subject`. */
  heal: 'none' | 'safe';
  /** The finding that a person has checked; no other finding is healed with it. */
  subject?: string;
  words: HealWords;
}

export interface OurBooksInput extends Omit<BookInput, 'book'> {
  vendors: 'due' | 'all';
}

export interface OurBooksResult extends ReconcileBooksResult {
  /** The vendors' books that are to be compared now. */
  due: string[];
}

/**
 * A vendor's book that agreed with ours is compared every other run of the Schedule: one and a half of its
 * `RECONCILE_BOOKS_EVERY_SECONDS`, since runs are not on time to the second.
 */
const QUIET_BOOK_MS = 1_350_000;

/** The result of one comparison; `failed` when the records could not be read. */
export interface BookResult {
  book: string;
  found: number;
  healed: number;
  failed: boolean;
}

export const reconcileActivities = (context: ReconcileContext) => ({
  /** The records that can be compared. Runs that began before `compareOurBooks` ask for them. */
  async listBooks(): Promise<{ books: string[] }> {
    return { books: Object.keys(booksOf(context)) };
  },

  /**
   * Compares our own records with each other, and lists those of vendors that are due: all of them where a person asks,
   * else those that differed or were not read, and those that were last compared a while ago. Safe to repeat.
   */
  async compareOurBooks({ vendors, ...input }: OurBooksInput): Promise<OurBooksResult> {
    const books = Object.keys(booksOf(context));
    const result: OurBooksResult = { found: 0, healed: 0, failed: [], due: [] };
    for (const book of books.filter((each) => !isOfVendor(each))) {
      try {
        const compared = await compareBook(context, { book, ...input });
        result.found += compared.found;
        result.healed += compared.healed;
        if (compared.failed) result.failed.push(book);
      } catch (err) {
        // One that cannot be compared stops none of the others; the next run tries it again.
        context.logger.error({ book, err }, 'a book could not be compared');
        result.failed.push(book);
      }
    }
    const before = new Date(context.clock.now().getTime() - QUIET_BOOK_MS);
    const quiet = vendors === 'all' ? [] : await listQuietBooks(context.db, before);
    result.due = books.filter((book) => isOfVendor(book) && !quiet.includes(book));
    return result;
  },

  compareBook: (input: BookInput): Promise<BookResult> => compareBook(context, input),
});

/** `registrars/namecom`; our own records have no vendor. */
const isOfVendor = (book: string): boolean => book.includes('/');

/**
 * Compares one set of records, stores the findings, heals. A vendor that does not answer is recorded,
 * never thrown, so the others are still compared. Safe to repeat at any point.
 */
async function compareBook(context: ReconcileContext, input: BookInput): Promise<BookResult> {
  const { book } = input;
  const at = context.clock.now();
  const compare = booksOf(context)[book];
  const result = { book, found: 0, healed: 0, failed: false };
  if (!compare) return result;
  let found: Found[];
  try {
    found = await compare(input);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, message } = error;
    context.logger.warn({ book, kind, err: error }, 'a book could not be compared');
    await recordBookCheck(context.db, { book, at, error: { kind, message } });
    return { ...result, failed: true };
  }
  await recordFindings(
    context.db,
    book,
    found.map(({ finding }) => finding),
    at,
  );
  for (const one of found) {
    const { kind, subject, operationId, detail } = one.finding;
    context.logger.warn({ book, kind, subject, operationId, detail }, 'books differ');
    if (await healed(context, one, input)) result.healed += 1;
  }
  await recordBookCheck(context.db, { book, at, error: null });
  return { ...result, found: found.length };
}

type Compare = (input: BookInput) => Promise<Found[]>;

function booksOf(context: ReconcileContext): Record<string, Compare> {
  const books: Record<string, Compare> = {
    workflows: () => workflowFindings(context),
    holds: () => holdFindings(context),
    ledger: () => ledgerFindings(context),
    [RUNS_BOOK]: () => runFindings(context),
  };
  const { payments } = context;
  // Without a vendor's name: that would be a task queue, and payments have none.
  if (payments) books['payments'] = () => paymentFindings(context, payments);
  for (const [name, vps] of Object.entries(context.vps)) {
    if (vps.listOurs) books[`vps/${name}`] = () => serverFindings(context, vps);
  }
  for (const [name, registrar] of Object.entries(context.registrars)) {
    if (registrar.listDomains) {
      books[`registrars/${name}`] = ({ heal }) => registrarFindings(context, registrar, heal);
    }
  }
  return books;
}

/** A failing heal stops nothing: it is retried at the next comparison. */
async function healed(
  context: ReconcileContext,
  { finding, heal, isSafe }: Found,
  asked: BookInput,
): Promise<boolean> {
  const { kind, subject } = finding;
  if (!heal || asked.heal === 'none' || !(isSafe || asked.subject === subject)) return false;
  try {
    return await heal(asked.words);
  } catch (err) {
    context.logger.error({ kind, subject, err }, 'not healed; it is tried again');
    return false;
  }
}
