/** `outreach doctor --order`: what it needs, what it costs, and its ending by a signal. */
import type { Context } from '../context.ts';
import { giveBackLeftovers } from '../services/operations/doctor/give-back.ts';
import type { Diagnosis } from '../services/operations/doctor/questions.ts';
import { runTrial } from '../services/operations/doctor/trial-order.ts';
import type { Registrar } from '../providers/registrars/port.ts';
import { CommandEnd, EXIT, type Io } from './io.ts';
import { unanswered } from './operator-connections.ts';

interface Options {
  yes?: boolean;
  domain?: string;
  vps?: string;
}

/** Throws a `CommandEnd` where nothing was begun. */
export async function orderTrial(io: Io, context: Context, options: Options): Promise<Diagnosis[]> {
  const vendor = options.vps ?? context.config.DEFAULT_VPS;
  const vps = context.vps[vendor];
  if (!vps) throw new CommandEnd(EXIT.usage, `${vendor} is not configured.`);
  const { domain } = options;
  if (domain === undefined) {
    throw new CommandEnd(EXIT.usage, '--order needs --domain: the host gets a name below it.');
  }
  const registrar = await registrarOf(context, domain);
  const price = (await vps.hourPrice?.()) ?? 'an unknown price';
  io.err(`--order rents one server at ${vendor}: ${price} for its first hour, before taxes.`);
  if (!options.yes) throw new CommandEnd(EXIT.refused, 'Nothing was ordered: it wants --yes.');
  const left = await giveBackLeftovers(context).catch((error: unknown) => {
    throw unanswered(error, context.config.DATABASE_URL) ?? error;
  });
  for (const name of left) io.err(`given back: ${name}, of an earlier doctor`);
  const lines = await untilSignal(io, (signal) =>
    runTrial(context, {
      vps,
      registrar,
      domain,
      signal,
      tell: (words) => io.err(`${vendor}: ${words}`),
    }),
  );
  return lines.map((line) => ({ vendor: `${vendor} --order`, ...line }));
}

async function registrarOf({ registrars }: Context, domain: string): Promise<Registrar> {
  for (const registrar of Object.values(registrars)) {
    if (await registrar.find(domain)) return registrar;
  }
  throw new CommandEnd(EXIT.refused, `${domain} is at no registrar that is configured.`);
}

/** The first signal ends the work early, and waits for what it gives back; further ones change nothing. */
async function untilSignal<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = () => {
    io.err('stopping: what was rented is given back first');
    stop.abort(new Error('it was broken off'));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
