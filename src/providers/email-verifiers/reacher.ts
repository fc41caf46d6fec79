/**
 * Reacher 0.11 (https://docs.reacher.email; OpenAPI of its repository), hosted or self-hosted.
 *
 * A check lasts as long as the other mail server takes, so our own time-out ends it. `misc`, `mx` and
 * `smtp` are either the details or an error. Its word `risky` also covers role addresses that work, and
 * its `invalid` covers domains that it could not look up: the details decide, not the word.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { askEach } from './ask-each.ts';
import type { EmailVerifier, VerifierVerdict } from './port.ts';
import {
  badSyntax,
  catchAll,
  fullInbox,
  harmful,
  mailboxDisabled,
  mailboxExists,
  mailboxNotFound,
  unknown,
} from './verdicts.ts';

const PROVIDER = 'reacher';

/** A check mostly waits for a stranger's server; more at once would look like an attack. */
const CALLS_AT_ONCE = 10;

const AUTH_HINT = 'Check REACHER_KEY, and REACHER_SELF_HOSTED_URL where Reacher is your own.';
const CREDIT_HINT = 'The credits at Reacher are used up: buy more or wait for the next period.';

const settings = z.object({
  REACHER_KEY: z.string().min(1),
  REACHER_URL: z.url().default('https://api.reacher.email'),
  /** The address of a self-hosted Reacher; its secret is then the key. */
  REACHER_SELF_HOSTED_URL: z.url().optional(),
});

/** `CoreError` of the specification; older versions wrap it as `{error}`. */
const coreError = z.union([
  z.object({ type: z.string(), message: z.string() }),
  z.object({ error: z.object({ type: z.string(), message: z.string() }) }),
]);
const detailsOr = <S extends z.ZodType>(details: S) => z.union([details, coreError]);
const answer = z.object({
  is_reachable: z.enum(['safe', 'risky', 'invalid', 'unknown']),
  misc: detailsOr(z.object({ is_disposable: z.boolean() })),
  mx: detailsOr(z.object({ accepts_mail: z.boolean() })),
  smtp: detailsOr(
    z.object({
      can_connect_smtp: z.boolean(),
      has_full_inbox: z.boolean(),
      is_catch_all: z.boolean(),
      is_deliverable: z.boolean(),
      is_disabled: z.boolean(),
    }),
  ),
  syntax: z.object({ is_valid_syntax: z.boolean() }),
});
type Answer = z.infer<typeof answer>;

export const reacher = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['REACHER_URL'],
  ownHosts: ['api.reacher.email'],
  create: createReacher,
});

function createReacher(config: z.infer<typeof settings>, tools: ProviderTools): EmailVerifier {
  const ownUrl = config.REACHER_SELF_HOSTED_URL;
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: ownUrl ?? config.REACHER_URL,
    headers: ownUrl
      ? { 'x-reacher-secret': config.REACHER_KEY }
      : { authorization: config.REACHER_KEY },
    secrets: [config.REACHER_KEY],
    timeoutMs: tools.timeoutMs,
    refused: reacherRefusal,
  });
  return {
    name: PROVIDER,
    async verify(emails, { onResult, signal }) {
      // A check lasts as long as the other mail server lets it wait: a single one that does not end tells of that server.
      const onSilence = async (email: string) => onResult({ email, verdict: unknown('timed_out') });
      await askEach(emails, { atOnce: CALLS_AT_ONCE, signal, onSilence }, async (email) => {
        await onResult({ email, verdict: await check(client, email, signal) });
      });
    },
  };
}

async function check(
  client: JsonClient,
  email: string,
  signal: AbortSignal | undefined,
): Promise<VerifierVerdict> {
  try {
    const body = { to_email: email };
    const path = '/v0/check_email';
    return verdictOf(
      await client.send({ method: 'POST', path, body, repeatable: true, answer, signal }),
    );
  } catch (error) {
    // It rejects this one address; the others are not affected.
    if (error instanceof ProviderError && error.kind === 'rejected') return unknown('no_answer');
    throw error;
  }
}

function verdictOf({ is_reachable, misc, mx, smtp, syntax }: Answer): VerifierVerdict {
  if (!syntax.is_valid_syntax) return badSyntax();
  if ('is_disposable' in misc && misc.is_disposable) return harmful('disposable');
  // We have found a route to its domain, so that Reacher finds none proves nothing about the address.
  if (!('accepts_mail' in mx) || !mx.accepts_mail) return unknown('unreachable');
  if (!('is_deliverable' in smtp)) return unknown(reasonOfError(smtp));
  if (!smtp.can_connect_smtp) return unknown('unreachable');
  if (smtp.is_disabled) return mailboxDisabled();
  if (smtp.has_full_inbox) return fullInbox();
  if (smtp.is_catch_all) return catchAll();
  if (smtp.is_deliverable)
    return mailboxExists({ catchAll: false, fullInbox: false, disabled: false });
  return is_reachable === 'invalid' ? mailboxNotFound({ catchAll: false }) : unknown('no_answer');
}

function reasonOfError(error: z.infer<typeof coreError>): string {
  const { type, message } = 'error' in error ? error.error : error;
  const text = `${type} ${message}`;
  if (/gr[ea]ylist/i.test(text)) return 'greylisted';
  if (/timed? ?-?out|connect|unreachable|socket|refused/i.test(text)) return 'unreachable';
  return /block|blacklist|denied|policy|spam/i.test(text) ? 'probe_refused' : 'temporary_failure';
}

const errorBody = z.object({ error: z.string() });

/** `{error: "text"}` with a status; 429 comes from Reacher's own throttle. */
function reacherRefusal(refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const text = parsed.success ? parsed.data.error : 'no explanation';
  const code = String(refusal.status);
  const message = refusalMessage(PROVIDER, refusal, text);
  const facts = refusalFacts(PROVIDER, refusal, code);
  if (refusal.status === 402 || /credit|quota|monthly limit/i.test(text)) {
    return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
  }
  const common = commonRefusal(PROVIDER, refusal, { code, text, authHint: AUTH_HINT });
  return common ?? new ProviderError('rejected', message, facts);
}
