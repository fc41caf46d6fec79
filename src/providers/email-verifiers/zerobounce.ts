/**
 * ZeroBounce v2 (https://www.zerobounce.net/docs/email-validation-api-quickstart).
 *
 * The key goes in the query or the body, never in a header, and a refusal is a 200 with `{"error"}`:
 * one sentence for a wrong key and for used-up credits, which `getcredits` tells apart (-1 is a wrong
 * key). Each answered address costs a credit, so many go in one batch call; the vendor does not charge
 * for `unknown`.
 */
import { z } from 'zod';
import { fine, wrong, type AccountAnswer } from '../../domain/operations/account-questions.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { askEach } from './ask-each.ts';
import { createBatchTurns, type BatchTurns } from './batch-turns.ts';
import type { EmailVerifier } from './port.ts';
import { zerobounceVerdict } from './zerobounce-verdict.ts';

const PROVIDER = 'zerobounce';

const CALLS_AT_ONCE = 5;
/** From this many addresses on a batch is quicker. */
const BATCH_FROM = 6;
/** The most that the vendor takes in one: few batches are let through. */
const BATCH_SIZE = 200;
/** For so long the vendor blocks whoever has sent too many batches in a minute. */
const BLOCKED_MS = 10 * 60_000;
/** A batch may take the vendor 70 s where a single address takes up to 30 s. */
const BATCH_TIMEOUTS = 3;

const AUTH_HINT = 'Check ZEROBOUNCE_KEY.';
const CREDIT_HINT = 'The credits at ZeroBounce are used up: buy more.';

const settings = z.object({
  ZEROBOUNCE_KEY: z.string().min(1),
  ZEROBOUNCE_URL: z.url().default('https://api.zerobounce.net/v2'),
  ZEROBOUNCE_BULK_URL: z.url().default('https://bulkapi.zerobounce.net/v2'),
  /**
   * The page on batches says 5, the one on limits 20: more than it takes blocks us for ten minutes. The wait for a turn
   * counts against the time that a maps run gives a batch of addresses; what had no answer by then its import asks again.
   */
  ZEROBOUNCE_BATCHES_PER_MINUTE: z.coerce.number().int().min(1).max(6_000).default(5),
});

const refused = z.object({ error: z.string() });
const result = z.object({
  address: z.string(),
  status: z.string(),
  sub_status: z.string().nullish(),
});
const singleAnswer = z.union([result, refused]);
const batchAnswer = z.union([
  z.object({
    email_batch: z.array(result),
    errors: z.array(z.object({ error: z.string(), email_address: z.string() })).nullish(),
  }),
  refused,
]);
const creditsAnswer = z.object({ Credits: z.coerce.number() });

export const zerobounce = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['ZEROBOUNCE_URL', 'ZEROBOUNCE_BULK_URL'],
  ownHosts: [
    'api.zerobounce.net',
    'api-us.zerobounce.net',
    'api-eu.zerobounce.net',
    'bulkapi.zerobounce.net',
  ],
  create: createZerobounce,
});

interface Clients {
  one: JsonClient;
  many: JsonClient;
  turns: BatchTurns;
  key: string;
}

type VerifyOptions = Parameters<EmailVerifier['verify']>[1];

function createZerobounce(config: z.infer<typeof settings>, tools: ProviderTools): EmailVerifier {
  const key = config.ZEROBOUNCE_KEY;
  const common = { provider: PROVIDER, headers: {}, secrets: [key], refused: zerobounceRefusal };
  const { timeoutMs } = tools;
  const clients: Clients = {
    one: createJsonClient({ ...common, baseUrl: config.ZEROBOUNCE_URL, timeoutMs }),
    many: createJsonClient({
      ...common,
      baseUrl: config.ZEROBOUNCE_BULK_URL,
      timeoutMs: timeoutMs * BATCH_TIMEOUTS,
      refused: (refusal) => blocked(zerobounceRefusal(refusal)),
    }),
    turns: createBatchTurns(PROVIDER, tools.probePlaces, config.ZEROBOUNCE_BATCHES_PER_MINUTE),
    key,
  };
  return {
    name: PROVIDER,
    accountQuestions: () => [
      { name: 'key and credits', ask: async () => creditsLine(await creditsOf(clients)) },
    ],
    async verify(emails, options) {
      if (emails.length < BATCH_FROM) return verifyEach(clients, emails, options);
      for (let at = 0; at < emails.length; at += BATCH_SIZE) {
        const batch = () => verifyBatch(clients, emails.slice(at, at + BATCH_SIZE), options);
        await clients.turns(batch, options.signal);
      }
    },
  };
}

const verifyEach = (clients: Clients, emails: readonly string[], options: VerifyOptions) =>
  askEach(emails, { atOnce: CALLS_AT_ONCE, signal: options.signal }, async (email) => {
    const answered = await clients.one.send({
      method: 'GET',
      path: '/validate',
      query: { api_key: clients.key, email, ip_address: '' },
      repeatable: true,
      answer: singleAnswer,
      signal: options.signal,
    });
    if ('error' in answered) throw await explain(clients, answered.error);
    await options.onResult({ email, verdict: zerobounceVerdict(answered) });
  });

async function verifyBatch(
  clients: Clients,
  emails: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const answered = await clients.many.send({
    method: 'POST',
    path: '/validatebatch',
    body: {
      api_key: clients.key,
      email_batch: emails.map((email) => ({ email_address: email, ip_address: null })),
    },
    repeatable: true,
    answer: batchAnswer,
  });
  if ('error' in answered) throw await explain(clients, answered.error);
  const byAddress = new Map(answered.email_batch.map((one) => [one.address.toLowerCase(), one]));
  const left: string[] = [];
  for (const email of emails) {
    const one = byAddress.get(email.toLowerCase());
    if (one) await options.onResult({ email, verdict: zerobounceVerdict(one) });
    else left.push(email);
  }
  // Errors of a batch ("all" or an address) tell no more than those of single calls.
  if (left.length > 0) await verifyEach(clients, left, options);
}

/** What the sentence in a 200 means: a second request to the vendor tells. */
async function explain(clients: Clients, text: string): Promise<ProviderError> {
  const message = `${PROVIDER}: refused (${text.replaceAll(clients.key, '***').slice(0, 300)})`;
  const facts = { provider: PROVIDER, providerCode: '200' };
  if (!/api.?key|credit/i.test(text)) return new ProviderError('unavailable', message, facts);
  const left = await creditsOf(clients);
  if (left < 0) return new ProviderError('auth', message, { ...facts, operatorHint: AUTH_HINT });
  if (left > 0) return new ProviderError('unavailable', message, facts);
  return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
}

/** What is left; -1 is a wrong key. */
async function creditsOf({ one, key }: Clients): Promise<number> {
  const path = '/getcredits';
  const query = { api_key: key };
  const asked = { method: 'GET', path, query, repeatable: true, answer: creditsAnswer } as const;
  return (await one.send(asked)).Credits;
}

function creditsLine(left: number): AccountAnswer {
  if (left < 0) return wrong('the key is not taken', AUTH_HINT);
  return left > 0
    ? fine(`taken, ${left} credits are left`)
    : wrong('no credit is left', CREDIT_HINT);
}

/** A batch too many, where the vendor does not say for how long. */
const blocked = (error: ProviderError): ProviderError =>
  error.kind === 'rate_limited'
    ? new ProviderError(error.kind, error.message, {
        ...error.facts,
        retryAfterMs: Math.max(BLOCKED_MS, error.facts.retryAfterMs ?? 0),
      })
    : error;

/** Refusals with a status are those of any HTTP API; their text is kept for the log. */
function zerobounceRefusal(refusal: Refusal): ProviderError {
  const parsed = refused.safeParse(refusal.body);
  const text = parsed.success ? parsed.data.error : 'no explanation';
  const code = String(refusal.status);
  const common = commonRefusal(PROVIDER, refusal, { code, text, authHint: AUTH_HINT });
  const message = refusalMessage(PROVIDER, refusal, text);
  return common ?? new ProviderError('rejected', message, refusalFacts(PROVIDER, refusal, code));
}
