/** The port of contact finders: people of a company, charged per address. Adapters obey each MUST. */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

export interface CompanyQuestion {
  companyName: string;
  /** Registrable domain, lower case, punycode. */
  domain: string;
  /** The most people that are wanted (and paid for). */
  limit: number;
}

export interface FinderPerson {
  firstName: string;
  lastName: string;
  /** Lower case. */
  email: string;
  position: string | null;
  phone: string | null;
  profileUrl: string | null;
  /** 0-100, the vendor's own score; null where it gives none. */
  confidence: number | null;
  /** The vendor's own verification, in our words. */
  verification: 'valid' | 'risky' | 'invalid' | 'unknown' | null;
}

export interface FinderAnswer {
  people: FinderPerson[];
  /** What the vendor charges for this answer, in its credits. */
  credits: number;
}

/**
 * Each call may cost credits, so the caller writes its intent before and never repeats a call whose
 * outcome is unknown. An adapter MUST NOT retry by itself, and MUST throw
 * - `quota` when the credits are used up (Hunter: 429; the caller falls through to the next),
 * - `rate_limited` when it should slow down (Hunter: 403), which is never charged,
 * - `outcome_unknown` when a charged request's answer was lost. People who asked not to be processed
 *   (Hunter: 451) MUST be left out.
 */
export interface ContactFinder extends AskableAccount {
  readonly name: string;
  find(question: CompanyQuestion, signal?: AbortSignal): Promise<FinderAnswer>;
}
