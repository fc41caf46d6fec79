/** Asks the configured verifiers in their order; one that cannot answer is skipped for a while. */
import type { Logger } from 'pino';
import { ALL_SILENT } from '../../domain/email-validation/email-validation.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { EmailVerifier, VerifierVerdict } from '../../providers/email-verifiers/port.ts';

interface ChainNeeds {
  emailVerifiers: Readonly<Record<string, EmailVerifier>>;
  clock: { now(): Date };
  logger: Logger;
}

type OnVerdict = (email: string, verdict: VerifierVerdict, verifier: string) => Promise<void>;

export interface VerifierChain {
  /**
   * Reports each verdict as it comes. Returns the reason why the remaining addresses got none
   * (`not_verified`: no verifier is configured). Throws when aborted, and what `onVerdict` throws.
   */
  ask(
    emails: readonly string[],
    options: {
      onVerdict: OnVerdict;
      signal: AbortSignal | undefined;
      /** Rests that began before are over: an operator has cured their cause. */
      restsFrom?: Date | undefined;
    },
  ): Promise<string>;
}

/**
 * An operator has to fix it: credits, credentials, a closed port. Asking for each address would not
 * help.
 */
const OPERATOR_REST_MS = 10 * 60_000;
const UNAVAILABLE_REST_MS = 30_000;
const MAX_REST_MS = 3_600_000;
/** So many addresses that get no answer in time may tell of their own mail servers. */
const SILENT_BY_CHANCE = 2;

export function createVerifierChain({ emailVerifiers, clock, logger }: ChainNeeds): VerifierChain {
  const resting = new Map<string, Rest>();
  const rest = (
    verifier: EmailVerifier,
    error: ProviderError,
    { answered, left }: { answered: number; left: number },
  ) => {
    const { kind, facts } = error;
    const isSilent = facts.providerCode === ALL_SILENT;
    const isBusyOnly = kind === 'unavailable' && answered > 0;
    const forMs = isBusyOnly || (isSilent && left <= SILENT_BY_CHANCE) ? 0 : restMs(error);
    const sinceMs = clock.now().getTime();
    const untilMs = sinceMs + forMs;
    const before = resting.get(verifier.name)?.untilMs ?? 0;
    // Who finds it resting has not been asked about. A call that began before a longer rest does not end it.
    if (untilMs >= before)
      resting.set(verifier.name, { sinceMs, untilMs, reason: reasonOf(error) });
    const reason = isSilent ? 'timed_out' : reasonOf(error);
    const refusal = { verifier: verifier.name, kind, reason, hint: facts.operatorHint, err: error };
    logger.warn(refusal, 'an e-mail verifier did not answer; the next one is asked');
    return reason;
  };
  /** The verifier's rest, which is forgotten where it began before. */
  const restSince = (name: string, from: Date): Rest | undefined => {
    if (resting.get(name) && resting.get(name)!.sinceMs < from.getTime()) resting.delete(name);
    return resting.get(name);
  };
  return {
    async ask(emails, { onVerdict, signal, restsFrom }) {
      let left = [...emails];
      let reason = 'not_verified';
      for (const verifier of Object.values(emailVerifiers)) {
        const pause = restsFrom ? restSince(verifier.name, restsFrom) : resting.get(verifier.name);
        if (pause && pause.untilMs > clock.now().getTime()) {
          reason = pause.reason;
          continue;
        }
        const attempt = await askOne(verifier, left, { onVerdict, signal });
        const counts = {
          answered: left.length - attempt.left.length,
          left: attempt.left.length,
        };
        if (attempt.error) reason = rest(verifier, attempt.error, counts);
        left = attempt.left;
        if (left.length === 0) return reason;
      }
      return reason;
    },
  };
}

interface Rest {
  sinceMs: number;
  untilMs: number;
  reason: string;
}

interface Attempt {
  left: string[];
  error?: ProviderError;
}

async function askOne(
  verifier: EmailVerifier,
  emails: readonly string[],
  { onVerdict, signal }: { onVerdict: OnVerdict; signal: AbortSignal | undefined },
): Promise<Attempt> {
  const open = new Set(emails);
  let undelivered: unknown;
  const onResult = async ({ email, verdict }: { email: string; verdict: VerifierVerdict }) => {
    if (!open.delete(email)) return;
    try {
      await onVerdict(email, verdict, verifier.name);
    } catch (error) {
      undelivered ??= error;
      throw error;
    }
  };
  try {
    await verifier.verify(emails, { onResult, ...(signal && { signal }) });
    if (undelivered !== undefined) throw undelivered;
    signal?.throwIfAborted();
    if (open.size === 0) return { left: [] };
    return { left: [...open], error: incomplete(verifier) };
  } catch (error) {
    if (undelivered !== undefined) throw undelivered;
    signal?.throwIfAborted();
    if (!(error instanceof ProviderError)) throw error;
    return { left: [...open], error };
  }
}

/** Violates the port's contract; the addresses go to the next verifier all the same. */
const incomplete = ({ name }: EmailVerifier) =>
  new ProviderError('unavailable', `${name}: left addresses without an answer`, { provider: name });

/** Why there is no verdict, in words for the client. */
function reasonOf({ kind, facts }: ProviderError): string {
  if (facts.providerCode === 'port_25_closed') return facts.providerCode;
  return kind === 'quota' ? 'verifier_out_of_credits' : 'verifier_unavailable';
}

function restMs({ kind, facts }: ProviderError): number {
  if (kind === 'auth' || kind === 'quota') return OPERATOR_REST_MS;
  return Math.min(MAX_REST_MS, facts.retryAfterMs ?? UNAVAILABLE_REST_MS);
}
