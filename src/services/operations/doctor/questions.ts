/** Asks vendors what costs nothing, each question by itself: none delays or hides another. */
import type { Context } from '../../../context.ts';
import {
  fine,
  type AccountAnswer,
  type AccountQuestion,
  type AskableAccount,
} from '../../../domain/operations/account-questions.ts';
import { ProviderError } from '../../../domain/errors.ts';

type Vendors = Pick<
  Context,
  | 'config'
  | 'registrars'
  | 'vps'
  | 'payments'
  | 'adLibraries'
  | 'contactFinders'
  | 'maps'
  | 'emailVerifiers'
  | 'answerJudges'
  | 'mailboxOauth'
>;

/** Questions to one vendor, or to the network. */
export interface Asked {
  vendor: string;
  questions: readonly AccountQuestion[];
}

/** One line of the table. */
export interface Diagnosis extends AccountAnswer {
  vendor: string;
  question: string;
}

/** What every configured vendor is asked, and what is missing where none is. */
export function vendorQuestions(context: Vendors): Asked[] {
  const { config, registrars, vps, payments } = context;
  const named: [string, AskableAccount][] = [
    ...Object.entries(registrars),
    ...Object.entries(vps),
    ...(payments ? [[payments.name, payments] as [string, AskableAccount]] : []),
  ];
  const installation = { publicUrl: config.PUBLIC_URL };
  // One that serves two ports is asked once.
  const data: Record<string, AskableAccount> = {
    ...context.adLibraries,
    ...context.maps,
    ...context.contactFinders,
    ...context.emailVerifiers,
    ...context.answerJudges,
    ...context.mailboxOauth,
  };
  return [
    { vendor: 'settings', questions: [...missingVendors(context), ...missingPorts(context)] },
    ...[...named, ...Object.entries(data)].map(([vendor, account]) => ({
      vendor,
      questions: account.accountQuestions?.(installation) ?? [unasked],
    })),
  ];
}

const unasked: AccountQuestion = {
  name: 'account',
  ask: async () => ({
    state: 'not_askable',
    found: 'configured; it is asked nothing here, the first use shows whether its key is taken',
  }),
};

/** A vendor that new orders go to by default has to be configured. */
function missingVendors({ config, registrars, vps, payments }: Vendors): AccountQuestion[] {
  const wanted: { name: string; vendor: string; there: boolean; loses: string }[] = [
    {
      name: 'DEFAULT_REGISTRAR',
      vendor: config.DEFAULT_REGISTRAR,
      there: registrars[config.DEFAULT_REGISTRAR] !== undefined,
      loses: 'no domain can be bought without naming another registrar',
    },
    {
      name: 'DEFAULT_VPS',
      vendor: config.DEFAULT_VPS,
      there: vps[config.DEFAULT_VPS] !== undefined,
      loses: 'no server can be ordered',
    },
    {
      name: 'payments',
      vendor: 'stripe',
      there: payments !== undefined,
      loses: 'no wallet can be funded',
    },
  ];
  return wanted.map(({ name, vendor, there, loses }) => ({
    name,
    ask: async () =>
      there ? fine(`${vendor} is configured`) : missing(`${vendor} is not configured: ${loses}`),
  }));
}

/** Kinds of vendors of which one is enough. */
const DATA_PORTS = [
  ['ad libraries', 'adLibraries', 'no leads are discovered (POST /v1/leads/process answers 502)'],
  [
    'map search',
    'mapsProviders',
    'no places are searched (POST /v1/maps-scraper/runs answers 502)',
  ],
  [
    'contact finders',
    'contactFinders',
    'discoveries find only those people whom websites of their companies name',
  ],
  [
    'email verifiers',
    'emailVerifiers',
    'addresses that exist are `unknown` (`not_verified`): only form and mail servers are looked at',
  ],
] as const;

function missingPorts(context: Vendors): AccountQuestion[] {
  return DATA_PORTS.map(([name, port, loses]) => ({
    name,
    ask: async () => {
      const there = Object.keys(context[port === 'mapsProviders' ? 'maps' : port]);
      if (there.length > 0) return fine(`configured, in this order: ${there.join(', ')}`);
      const names = Object.keys(context.config.vendors[port]).join(', ');
      return missing(`none of ${names} is configured: ${loses}`);
    },
  }));
}

const missing = (found: string): AccountAnswer => ({
  state: 'warning',
  found,
  cure: 'Set its variables (docs/providers), unless this is not wanted.',
});

/**
 * Vendors at once, the questions of each in turn. A question that fails, or has no answer within `timeoutMs`,
 * is a line of its own.
 */
export async function diagnose(asked: readonly Asked[], timeoutMs: number): Promise<Diagnosis[]> {
  const lines = await Promise.all(
    asked.map(async ({ vendor, questions }) => {
      const found: Diagnosis[] = [];
      for (const question of questions) {
        const answer = await inTime(question, timeoutMs);
        found.push({ vendor, question: question.name, ...answer });
      }
      return found;
    }),
  );
  return lines.flat();
}

async function inTime({ ask }: AccountQuestion, timeoutMs: number): Promise<AccountAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<AccountAnswer>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, {
      state: 'failed',
      found: `no answer within ${timeoutMs / 1_000} s`,
      cure: 'See whether this machine reaches the vendor, and whether it is up.',
    });
  });
  try {
    return await Promise.race([ask().catch(failure), late]);
  } finally {
    clearTimeout(timer);
  }
}

const CURES: Partial<Record<ProviderError['kind'], string>> = {
  auth: 'Check the credentials of this vendor, and the addresses that it allows.',
  rate_limited: 'Ask again in a minute.',
  unavailable: 'See whether this machine reaches the vendor, and whether it is up; ask again.',
};

function failure(error: unknown): AccountAnswer {
  if (!(error instanceof ProviderError)) {
    const found = error instanceof Error ? error.message : String(error);
    return { state: 'failed', found };
  }
  const { kind, message, facts } = error;
  return { state: 'failed', found: message, cure: facts.operatorHint ?? CURES[kind] };
}
