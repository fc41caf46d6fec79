/**
 * Apollo (https://docs.apollo.io): people of a domain by a free search, which shows no addresses, then
 * a match for each wanted one, one credit each. No match is a 200 with an empty person.
 *
 * A match is never repeated when its answer was lost. What was bought before a failure is answered, not
 * thrown away; the next request shows the same failure again.
 */
import { z } from 'zod';
import { fine, type AccountAnswer } from '../../domain/operations/account-questions.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import type { CompanyQuestion, ContactFinder, FinderAnswer, FinderPerson } from './port.ts';

const PROVIDER = 'apollo';

/** People tried for each one wanted: a person without an address costs nothing. */
const TRIES_PER_PERSON = 2;

const AUTH_HINT = 'Check APOLLO_KEY, and that its plan includes the people API.';
const CREDIT_HINT = 'The credits at Apollo are used up: buy more or wait for the next period.';
const CREDIT_TEXT = /insufficient credit|out of credit|credits? (limit|exhausted)|no credits/i;

const settings = z.object({
  APOLLO_KEY: z.string().min(1),
  APOLLO_URL: z.url().default('https://api.apollo.io/api/v1'),
});

const text = z.string().nullish();
const searchAnswer = z.object({
  people: z.array(z.object({ id: z.string(), has_email: z.boolean().nullish() })),
});
const matchAnswer = z.object({
  person: z
    .object({
      first_name: text,
      last_name: text,
      email: text,
      email_status: text,
      title: text,
      linkedin_url: text,
      sanitized_phone: text,
    })
    .nullish(),
});
const errorBody = z.object({ error: z.string().nullish(), message: z.string().nullish() });

export const apollo = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['APOLLO_URL'],
  ownHosts: ['api.apollo.io'],
  create: createApollo,
});

function createApollo(config: z.infer<typeof settings>, tools: ProviderTools): ContactFinder {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.APOLLO_URL,
    headers: { 'x-api-key': config.APOLLO_KEY },
    secrets: [config.APOLLO_KEY],
    timeoutMs: tools.timeoutMs,
    refused: apolloRefusal,
  });
  return {
    name: PROVIDER,
    accountQuestions: () => [{ name: 'key and plan', ask: () => searchForNothing(client) }],
    find: (question, signal) => find(client, question, signal),
  };
}

/** A search is free and shows that key and plan are taken; what is left of the credits it does not. */
async function searchForNothing(client: JsonClient): Promise<AccountAnswer> {
  await client.send({
    method: 'POST',
    path: '/mixed_people/api_search',
    body: { q_organization_domains_list: ['example.com'], page: 1, per_page: 1 },
    repeatable: true,
    answer: searchAnswer,
  });
  return fine('taken; credits show with the first person that is bought');
}

async function find(
  client: JsonClient,
  { domain, limit }: CompanyQuestion,
  signal: AbortSignal | undefined,
): Promise<FinderAnswer> {
  const { people: listed } = await client.send({
    method: 'POST',
    path: '/mixed_people/api_search',
    body: { q_organization_domains_list: [domain], page: 1, per_page: limit * TRIES_PER_PERSON },
    repeatable: true,
    answer: searchAnswer,
    signal,
  });
  const people: FinderPerson[] = [];
  let credits = 0;
  const promising = listed.filter(({ has_email }) => has_email !== false);
  for (const { id } of promising.slice(0, limit * TRIES_PER_PERSON)) {
    if (people.length >= limit) break;
    try {
      const person = await match(client, { id, domain, signal });
      if (!person) continue;
      people.push(person);
      credits += 1;
    } catch (error) {
      if (people.length === 0) throw error;
      // A match whose answer was lost may have been charged, too.
      const isLost = !(error instanceof ProviderError) || error.kind === 'outcome_unknown';
      return { people, credits: credits + (isLost ? 1 : 0) };
    }
  }
  return { people, credits };
}

async function match(
  client: JsonClient,
  { id, domain, signal }: { id: string; domain: string; signal: AbortSignal | undefined },
): Promise<FinderPerson | null> {
  const { person } = await client.send({
    method: 'POST',
    path: '/people/match',
    query: { id, domain, reveal_personal_emails: 'false', reveal_phone_number: 'false' },
    repeatable: false,
    answer: matchAnswer,
    signal,
  });
  const email = person?.email?.toLowerCase();
  // A locked address is shown as email_not_unlocked@domain.com.
  if (!person || !email || email.startsWith('email_not_unlocked@')) return null;
  return {
    firstName: person.first_name ?? '',
    lastName: person.last_name ?? '',
    email,
    position: person.title || null,
    phone: person.sanitized_phone || null,
    profileUrl: person.linkedin_url || null,
    confidence: null,
    verification: VERIFICATIONS[person.email_status ?? ''] ?? 'unknown',
  };
}

const VERIFICATIONS: Record<string, FinderPerson['verification']> = {
  verified: 'valid',
  extrapolated: 'risky',
  'likely to engage': 'risky',
  unavailable: 'invalid',
};

function apolloRefusal(refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const said = parsed.success ? (parsed.data.error ?? parsed.data.message) : refusal.body;
  const words = typeof said === 'string' && said !== '' ? said : 'no explanation';
  const code = String(refusal.status);
  const message = refusalMessage(PROVIDER, refusal, words);
  const facts = refusalFacts(PROVIDER, refusal, code);
  // 402, or 422 with these words, for a plan without credits.
  const isShort = refusal.status === 402 || (refusal.status < 500 && CREDIT_TEXT.test(words));
  if (isShort) return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
  return (
    commonRefusal(PROVIDER, refusal, { code, text: words, authHint: AUTH_HINT }) ??
    new ProviderError('rejected', message, facts)
  );
}
