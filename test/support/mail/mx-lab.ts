/** The lab's domains by behaviour, and a correct verifier's verdicts on addresses there. */
import { createProbePlaces } from '../../../src/db/email-validation/probe-places.ts';
import { createDnsResolver } from '../../../src/providers/dns/index.ts';
import { emailVerifiers } from '../../../src/providers/email-verifiers/index.ts';
import type {
  EmailVerifier,
  VerifierVerdict,
} from '../../../src/providers/email-verifiers/port.ts';
import type { ProviderTools } from '../../../src/providers/vendor.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { TestDatabase } from '../database/database.ts';

export const PROBE_SETTINGS = {
  SMTP_PROBE_FROM: 'verify@outreach.test',
  SMTP_PROBE_HELO: 'verify.outreach.test',
};

/**
 * The probe of one process in the sandbox's network; those of one database share their connection
 * slots.
 */
export function labProbe(
  { sandbox, db }: { sandbox: Pick<Sandbox, 'dns' | 'socks'>; db: TestDatabase['db'] },
  tools: Partial<ProviderTools> = {},
): EmailVerifier {
  const state = emailVerifiers.smtp_probe.configure(PROBE_SETTINGS);
  if (state.state !== 'on') throw new Error('not configured');
  // Who answers may do so late on busy cores.
  const timeoutMs = tools.timeoutMs ?? 15_000;
  return state.create({
    timeoutMs,
    outboundProxy: sandbox.socks,
    dns: createDnsResolver({ servers: [sandbox.dns], timeoutMs }),
    probePlaces: createProbePlaces(db),
    allowBenchmarkRange: true,
    ...tools,
  });
}

/** All verdicts by address; fails when an address gets two. */
export async function verdictsOf(
  verifier: EmailVerifier,
  emails: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, VerifierVerdict>> {
  const verdicts = new Map<string, VerifierVerdict>();
  const onResult = ({ email, verdict }: { email: string; verdict: VerifierVerdict }) => {
    if (verdicts.has(email)) throw new Error(`${email} was told twice`);
    verdicts.set(email, verdict);
  };
  await verifier.verify(emails, { onResult, ...(signal && { signal }) });
  return verdicts;
}

/** Servers of the lab that tell which mailboxes exist within one pass. */
export const HONEST = [
  'plain',
  'pipelining',
  'helo-only',
  'utf8',
  'starttls',
  'backup',
  'a-only',
  'limit',
  'one-domain',
  'impatient',
  'exchange',
  'consumer',
  'multiline',
] as const;

/** Servers that say nothing about a mailbox, and the expected reason. */
export const UNWILLING: Record<string, string> = {
  blocked: 'probe_blocklisted',
  'blocked-greeting': 'probe_blocklisted',
  'blocked-sender': 'probe_blocklisted',
  'no-probes': 'probe_refused',
  refusing: 'probe_refused',
  busy: 'temporary_failure',
  'no-sender': 'probe_refused',
  'no-helo': 'probe_refused',
  closing: 'temporary_failure',
  dropping: 'unreachable',
  mute: 'unreachable',
  stuck: 'temporary_failure',
  chatty: 'temporary_failure',
  babbling: 'unreachable',
  greylist: 'greylisted',
  failing: 'temporary_failure',
  'busy-sender': 'temporary_failure',
  nowhere: 'unreachable',
  dangling: 'unreachable',
  private: 'unreachable',
};
