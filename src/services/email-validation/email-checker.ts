/** Checks e-mail addresses: cached results, our own checks, then a verifier. Choices 29, 59. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { findKeptChecks } from '../../db/email-validation/email-checks.ts';
import { keepProviders } from '../../db/sending/recipient-providers.ts';
import {
  addressKey,
  readEmailAddress,
  type EmailAddress,
} from '../../domain/email-validation/email-address.ts';
import type { EmailCheck, EmailChecker } from '../../domain/email-validation/email-check.ts';
import {
  checkOf,
  checkOfNoAddress,
  factsOfForm,
  factsOfRoute,
  unknownFacts,
  type MailboxFacts,
} from '../../domain/email-validation/email-verdict.ts';
import { mailProviderOf } from '../../domain/email-validation/mail-providers.ts';
import type { Database } from '../../db/tables.ts';
import type { EmailVerifier } from '../../providers/email-verifiers/port.ts';
import { domainLists } from './domain-lists.ts';
import { createKeeper, type Keeper } from './keeper.ts';
import { createMailRoutes, type MailResolver } from './mail-route.ts';
import { createUnderway, type Underway } from './underway.ts';
import { createVerifierChain, type VerifierChain } from './verifier-chain.ts';

/** Parts of the context; not the whole, because the checker is itself a part of it. */
export interface EmailCheckerNeeds {
  db: Kysely<Database>;
  dns: MailResolver;
  emailVerifiers: Readonly<Record<string, EmailVerifier>>;
  clock: { now(): Date };
  logger: Logger;
}

type Options = NonNullable<Parameters<EmailChecker['check']>[1]>;

interface Found {
  facts: MailboxFacts;
  checkedAt: Date;
}

/** State that the calls of one process share. */
interface CheckerState {
  needs: EmailCheckerNeeds;
  routeOf: ReturnType<typeof createMailRoutes>;
  chain: VerifierChain;
  /** Mail exchanger by domain, not yet stored. */
  seen: Map<string, string>;
  underway: Underway<Found>;
  keeper: Keeper;
}

/** One address to check, and the given texts that mean it. */
interface Asked {
  key: string;
  address: EmailAddress;
  texts: string[];
}

/** Where results go as they are found. */
type OnFound = (asked: Asked, found: Found) => Promise<void>;

export function createEmailChecker(needs: EmailCheckerNeeds): EmailChecker {
  const now = () => needs.clock.now();
  const seen = new Map<string, string>();
  const state: CheckerState = {
    needs,
    routeOf: createMailRoutes(needs.dns, now, (domain, exchanger) => {
      seen.set(domain, mailProviderOf(exchanger));
    }),
    seen,
    chain: createVerifierChain(needs),
    underway: createUnderway(),
    keeper: createKeeper(needs),
  };
  return {
    async check(emails, options = {}) {
      const results = new Map<string, EmailCheck>();
      // Results are reported one after the other, even if found at the same time.
      let line = Promise.resolve();
      const tell = (text: string, check: EmailCheck) => {
        results.set(text, check);
        line = line.then(() => options.onResult?.(text, check));
        return line;
      };
      const asked = new Map<string, Asked>();
      for (const text of new Set(emails)) {
        const address = readEmailAddress(text);
        if (address) note(asked, address, text);
        else await tell(text, checkOfNoAddress(text, now().toISOString()));
      }
      await findAll(state, [...asked.values()], options, async (one, { facts, checkedAt }) => {
        for (const text of one.texts) {
          const address = readEmailAddress(text)!;
          await tell(text, checkOf(address, facts, domainLists(), checkedAt.toISOString()));
        }
      });
      return results;
    },
  };
}

function note(asked: Map<string, Asked>, address: EmailAddress, text: string): void {
  const key = addressKey(address);
  const known = asked.get(key);
  if (known) known.texts.push(text);
  else asked.set(key, { key, address, texts: [text] });
}

/** A call for an address that is already being checked waits for that result. */
async function findAll(
  state: CheckerState,
  asked: readonly Asked[],
  options: Options,
  onFound: OnFound,
): Promise<void> {
  const own: Asked[] = [];
  const others: { one: Asked; answer: Promise<Found | undefined> }[] = [];
  for (const one of asked) {
    const answer = state.underway.join(one.key);
    if (answer) others.push({ one, answer });
    else own.push(one);
  }
  const claim = state.underway.claim(own.map(({ key }) => key));
  try {
    await findOwn(state, own, options, async (one, found) => {
      claim.resolve(one.key, found);
      await onFound(one, found);
    });
  } finally {
    claim.release();
  }
  const left: Asked[] = [];
  for (const { one, answer } of others) {
    const found = await orAborted(answer, options.signal);
    if (found) await onFound(one, found);
    else left.push(one);
  }
  // The calls that were to answer these were aborted.
  if (left.length > 0) await findAll(state, left, options, onFound);
}

async function findOwn(
  state: CheckerState,
  own: readonly Asked[],
  options: Options,
  onFound: OnFound,
): Promise<void> {
  const { signal, restsFrom } = options;
  const now = () => state.needs.clock.now();
  const unkept = await tellKept(state, own, options, onFound);
  signal?.throwIfAborted();
  const open = new Map<string, Asked>();
  await Promise.all(
    unkept.map(async (one) => {
      const route = await state.routeOf(one.address.domain);
      const byRoute = factsOfRoute(route, domainLists().isDisposable(one.address.domain));
      const facts = byRoute ?? factsOfForm(one.address);
      if (facts) await onFound(one, { facts, checkedAt: now() });
      else open.set(one.address.email, one);
    }),
  );
  await keepSeen(state);
  signal?.throwIfAborted();
  if (open.size === 0) return;
  const kept = state.keeper.open();
  try {
    const reason = await state.chain.ask([...open.keys()], {
      signal,
      restsFrom,
      onVerdict: async (email, verdict, verifier) => {
        const one = open.get(email)!;
        open.delete(email);
        const found = { facts: { ...verdict, mx: true }, checkedAt: now() };
        await kept.add(one.key, { ...found, verifier });
        // It was on its way when the call was stopped: whoever asks next has it.
        if (signal?.aborted) await kept.flush();
        else await onFound(one, found);
      },
    });
    // Not cached: as soon as a verifier can be asked, it is worth asking.
    for (const one of open.values()) {
      await onFound(one, { facts: unknownFacts(reason), checkedAt: now() });
    }
  } finally {
    // Also if the call was aborted: the answers may have been paid for.
    await kept.flush();
  }
}

/** Stored so that sending can pause for providers that refuse too much; no check fails for it. */
async function keepSeen({ needs: { db, clock, logger }, seen }: CheckerState): Promise<void> {
  const news = new Map(seen);
  seen.clear();
  await keepProviders(db, news, clock.now()).catch((err: unknown) => {
    logger.warn({ err }, 'the providers of domains were not kept');
  });
}

/** Reports cached results; returns the remaining addresses. */
async function tellKept(
  { needs }: CheckerState,
  own: readonly Asked[],
  { again }: Options,
  onFound: OnFound,
): Promise<Asked[]> {
  if (own.length === 0) return [];
  const keys = own.map(({ key }) => key);
  const kept = await findKeptChecks(needs.db, keys, needs.clock.now());
  const rest: Asked[] = [];
  for (const one of own) {
    const known = kept.get(one.key);
    if (known && !(again && known.facts.status === 'unknown')) await onFound(one, known);
    else rest.push(one);
  }
  return rest;
}

function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
