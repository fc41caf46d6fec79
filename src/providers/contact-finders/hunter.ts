/**
 * Hunter v2 (https://hunter.io/api-documentation/v2), its domain search: one credit for up to ten
 * addresses of a domain, nothing when it knows none.
 *
 * Two of its statuses are swapped: 403 means "slow down", 429 means "no credits left". A search is
 * charged, so it is never repeated when its answer was lost.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { hunterQuestions } from './hunter-account.ts';
import type { CompanyQuestion, ContactFinder, FinderAnswer, FinderPerson } from './port.ts';

const PROVIDER = 'hunter';

/** What one credit buys, and the most that a free plan answers. */
const ADDRESSES_PER_CREDIT = 10;

/** A person in the answer asked not to be processed: the whole answer is withheld. */
const ASKED_NOT_TO = '451';

const RETRY_MS = 1_000;
const AUTH_HINT = 'Check HUNTER_KEY.';
const CREDIT_HINT = 'The credits at Hunter are used up: buy more or wait for the next period.';

const settings = z.object({
  HUNTER_KEY: z.string().min(1),
  HUNTER_URL: z.url().default('https://api.hunter.io/v2'),
});

const text = z.string().nullish();
const address = z.object({
  value: z.string(),
  type: text,
  confidence: z.number().nullish(),
  first_name: text,
  last_name: text,
  position: text,
  linkedin: text,
  phone_number: text,
  verification: z.object({ status: text }).nullish(),
});
const searchAnswer = z.object({ data: z.object({ emails: z.array(address) }) });
const errorBody = z.object({
  errors: z.array(z.object({ id: z.string(), details: z.string().nullish() })).min(1),
});

export const hunter = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['HUNTER_URL'],
  ownHosts: ['api.hunter.io'],
  create: createHunter,
});

function createHunter(config: z.infer<typeof settings>, tools: ProviderTools): ContactFinder {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.HUNTER_URL,
    headers: { 'x-api-key': config.HUNTER_KEY },
    secrets: [config.HUNTER_KEY],
    timeoutMs: tools.timeoutMs,
    refused: hunterRefusal,
  });
  return {
    name: PROVIDER,
    accountQuestions: () => hunterQuestions(client),
    find: (question, signal) => find(client, question, signal),
  };
}

async function find(
  client: JsonClient,
  question: CompanyQuestion,
  signal: AbortSignal | undefined,
): Promise<FinderAnswer> {
  const answer = await client
    .send({
      method: 'GET',
      path: '/domain-search',
      query: { domain: question.domain, limit: ADDRESSES_PER_CREDIT, offset: 0 },
      repeatable: false,
      answer: searchAnswer,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof ProviderError && error.facts.providerCode === ASKED_NOT_TO) return null;
      throw error;
    });
  const emails = answer?.data.emails ?? [];
  const people = emails.toSorted(bestFirst).slice(0, question.limit).map(person);
  return { people, credits: emails.length > 0 ? 1 : 0 };
}

type Address = z.infer<typeof address>;

/** People before role addresses, then by the vendor's own confidence. */
const bestFirst = (a: Address, b: Address) =>
  Number(a.type === 'generic') - Number(b.type === 'generic') ||
  (b.confidence ?? 0) - (a.confidence ?? 0);

const person = (found: Address): FinderPerson => ({
  firstName: found.first_name ?? '',
  lastName: found.last_name ?? '',
  email: found.value.toLowerCase(),
  position: found.position || null,
  phone: found.phone_number || null,
  profileUrl: found.linkedin || null,
  confidence: found.confidence ?? null,
  verification: VERIFICATIONS[found.verification?.status ?? ''] ?? null,
});

const VERIFICATIONS: Record<string, FinderPerson['verification']> = {
  valid: 'valid',
  accept_all: 'risky',
  webmail: 'risky',
  disposable: 'risky',
  invalid: 'invalid',
  unknown: 'unknown',
};

function hunterRefusal(refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const { id, details } = parsed.success ? parsed.data.errors[0]! : { id: '', details: null };
  const words = [id, details].filter(Boolean).join(': ') || 'no explanation';
  const code = id || String(refusal.status);
  const message = refusalMessage(PROVIDER, refusal, words);
  const facts = refusalFacts(PROVIDER, refusal, code);
  switch (refusal.status) {
    case 403:
      return new ProviderError('rate_limited', message, { ...facts, retryAfterMs: RETRY_MS });
    case 429:
      return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
    case 451:
      return new ProviderError('rejected', message, { ...facts, providerCode: ASKED_NOT_TO });
    default:
      return (
        commonRefusal(PROVIDER, refusal, { code, text: words, authHint: AUTH_HINT }) ??
        new ProviderError('rejected', message, facts)
      );
  }
}
