/** Names that accounts here had before, or that came to us unseen: whether and where they can be ordered. Choice 162. */
import type { Context } from '../../context.ts';
import type { Domain } from '../../db/domains/domains.ts';
import { listEndedDomains, listEndedFor } from '../../db/domains/ended-domains.ts';
import { readNameRecords } from '../../db/operations/name-records.ts';
import { listingLagSeconds } from '../../domain/domains/listing-lag.ts';
import { ownerOf } from '../../domain/domains/name-claims.ts';
import { invalid, ProviderError } from '../../domain/errors.ts';
import { asClientError } from '../providers.ts';
import { patiently, REGISTRAR, registrarOf, withRegistrarErrors } from './registrars.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'registrars'>;

/**
 * The live domain itself, where its registration has ended and the registrar sells the name again: then it is
 * nobody's. Undefined while it is somebody's, or nobody can tell.
 */
export async function findForSaleAgain(
  context: Needs,
  live: Domain | undefined,
  { userId, provider }: { userId: string; provider: string },
): Promise<Domain | undefined> {
  if (live?.status !== 'active') return undefined;
  const { name, id } = live;
  const [ended] = await listEndedFor(context.db, [name], { userId, now: context.clock.now() });
  const registrar = context.registrars[provider];
  if (ended?.id !== id || !registrar) return undefined;
  try {
    const { available } = await patiently(() => registrar.quote(name));
    const held = available && (await context.registrars[live.provider]?.find(name));
    return available && !held ? ended : undefined;
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/**
 * Where a failed purchase is made anew: at the first registrar, which may sell to us again, unless the alternate that
 * it had come to has sold us the name after all.
 */
export async function sellerOfRepeat(
  context: Pick<Context, 'config' | 'registrars'>,
  { name, provider }: Domain,
): Promise<string> {
  const first = context.config.DEFAULT_REGISTRAR;
  const registrar = context.registrars[provider];
  if (provider === first || !registrar) return first;
  try {
    return (await patiently(() => registrar.find(name))) ? provider : first;
  } catch (error) {
    if (error instanceof ProviderError) return first;
    throw error;
  }
}

/**
 * Whether the domain has left us: its term is over, our account does not have it any more, and nothing here needs it.
 * Whoever has registered it elsewhere since may import it.
 */
export async function hasLeft(
  { db, clock, registrars }: Pick<Context, 'db' | 'clock' | 'registrars'>,
  { id, name, provider }: Domain,
): Promise<boolean> {
  const registrar = registrars[provider];
  const ended = await listEndedDomains(db, [name], clock.now());
  if (!registrar || !ended.some((domain) => domain.id === id)) return false;
  return !(await withRegistrarErrors(() => registrar.find(name)));
}

/**
 * The registrar at which the name is ordered: the one that is asked first where it sells it, else the one whose
 * account here has it already, by an earlier order of this user or by one that is lost. Throws DOMAIN_UNAVAILABLE.
 */
export async function sellerOf(
  context: Needs,
  order: { userId: string; name: string; provider: string | undefined },
): Promise<string> {
  const { name } = order;
  const first = order.provider ?? context.config.DEFAULT_REGISTRAR;
  if (await isForSale(context, first, name)) return first;
  const candidates = order.provider ? [first] : [first, ...Object.keys(context.registrars)];
  const holder = await findHolder(context, { ...order, candidates });
  if (holder === undefined) throw invalid('DOMAIN_UNAVAILABLE', `${name} is not available`);
  return holder;
}

/** With the registrar down nothing is stored: the name is not even claimed. */
async function isForSale(context: Needs, provider: string, name: string): Promise<boolean> {
  const registrar = registrarOf(context, provider);
  try {
    const { available, premium } = await patiently(() => registrar.quote(name));
    return available || premium;
  } catch (error) {
    // A failure that an operator has to fix blocks the purchase instead: it is not lost.
    if (error instanceof ProviderError && ['auth', 'quota'].includes(error.kind)) return true;
    throw asClientError(error, REGISTRAR);
  }
}

/** Whose account of ours has the name, where the purchase may take it over: it looks before it buys. */
async function findHolder(
  context: Needs,
  order: { userId: string; name: string; candidates: readonly string[] },
): Promise<string | undefined> {
  const { userId, name, candidates } = order;
  for (const provider of new Set(candidates)) {
    const records = await readNameRecords(context.db, { provider, name });
    const hasOrdered = records.orders.some((one) => one.userId === userId);
    if (!hasOrdered && !records.isFound) continue;
    const registrar = registrarOf(context, provider);
    const owned = await withRegistrarErrors(() => registrar.find(name));
    if (!owned) continue;
    const purchasedAt = new Date(owned.purchasedAt);
    const lagMs = listingLagSeconds(registrar, context.config) * 1_000;
    const asked = { userId, purchasedAt, orderedAt: context.clock.now(), lagMs };
    if (ownerOf(records, asked) !== 'other') return provider;
  }
  return undefined;
}
