/** One call per address, a few at a time, for verifiers whose API takes one. */
import PQueue from 'p-queue';
import { ALL_SILENT } from '../../domain/email-validation/email-validation.ts';
import { ProviderError } from '../../domain/errors.ts';

/**
 * After calls in a row without an answer about this many domains the vendor is taken to be down. One mail server that
 * keeps a verifier waiting is no outage.
 */
const DOWN_AFTER_DOMAINS = 3;
/** The same of addresses, where it has answered nobody yet. */
const DOWN_AFTER_ADDRESSES = 3;

/**
 * Calls `ask` for each address. An error that concerns the vendor as a whole (credentials, credits,
 * rate limit, outage) stops it; a single call that fails does not. Throws the first failure once the
 * rest is done, so that the addresses without an answer go to another verifier. With `onSilence`, calls that
 * timed out while others were answered are told there instead; where each call timed out it throws `all_silent`.
 */
export async function askEach(
  emails: readonly string[],
  options: {
    atOnce: number;
    signal?: AbortSignal | undefined;
    onSilence?: (email: string) => Promise<void>;
  },
  ask: (email: string) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: options.atOnce });
  const failures: Failed[] = [];
  let failedInARow = new Set<string>();
  let answered = 0;
  let asked = 0;
  let stoppedBy: Failed | undefined;
  const isDown = () =>
    domainsOf(failedInARow) >= DOWN_AFTER_DOMAINS ||
    (answered === 0 && failedInARow.size >= DOWN_AFTER_ADDRESSES);
  const one = async (email: string) => {
    asked += 1;
    const answeredBefore = answered;
    try {
      options.signal?.throwIfAborted();
      await ask(email);
      answered += 1;
      failedInARow = new Set();
    } catch (error) {
      const failed = { email, error };
      failures.push(failed);
      // Who answers others meanwhile is not down: that one mail server keeps it waiting.
      if (isSilence(error) && answered > answeredBefore) return;
      failedInARow.add(email);
      if (isMereFailure(error) && !isDown()) return;
      if (!stoppedBy || isMereFailure(stoppedBy.error)) stoppedBy = failed;
      queue.clear();
    }
  };
  for (const email of spread(emails)) void queue.add(() => one(email));
  await queue.onIdle();
  if (stoppedBy && !isMereFailure(stoppedBy.error)) throw stoppedBy.error;
  const { onSilence } = options;
  const silent = onSilence ? failures.filter(({ error }) => isSilence(error)) : [];
  if (answered > 0) for (const { email } of silent) await onSilence?.(email);
  else if (silent.length > 0 && silent.length === emails.length) throw allSilent(silent[0]!);
  const left = failures.find((failed) => answered === 0 || !silent.includes(failed));
  if (left ?? asked < emails.length) throw (left ?? failures[0]!).error;
}

/** Colleagues apart from each other: a mail server that answers nobody must not look like an outage. */
function spread(emails: readonly string[]): string[] {
  const seen = new Map<string, number>();
  const placed = emails.map((email) => {
    const place = seen.get(domainOf(email)) ?? 0;
    seen.set(domainOf(email), place + 1);
    return { email, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ email }) => email);
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);
const domainsOf = (emails: Iterable<string>) => new Set([...emails].map(domainOf)).size;

interface Failed {
  email: string;
  error: unknown;
}

function allSilent({ error }: Failed): ProviderError {
  const { message, facts } = error as ProviderError;
  return new ProviderError('unavailable', message, { ...facts, providerCode: ALL_SILENT });
}

const isSilence = (error: unknown) =>
  isMereFailure(error) && (error as ProviderError).facts.providerCode === 'timeout';

const isMereFailure = (error: unknown) =>
  error instanceof ProviderError && error.kind === 'unavailable';
