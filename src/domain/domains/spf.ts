/** SPF (RFC 7208): the policy that a domain needs, and whether one that is there lets our host send. */

/** By whom messages of the domain leave: the mail host itself, or the relay of all hosts. */
export interface SendingWay {
  /** Address of the host. */
  ipv4: string;
  /** Set where hosts send by `SMARTHOST_URL`. `include`: the name of the relay's own policy, where it has one. */
  smarthost?: { include: string | undefined } | undefined;
}

/**
 * The policy of a domain that has none. Behind a relay without a policy of its own nobody knows the
 * addresses: messages from others are then not refused (`~all`), since ours would be as well.
 */
export function spfPolicy({ smarthost }: Pick<SendingWay, 'smarthost'>): string {
  if (smarthost === undefined) return 'v=spf1 mx -all';
  return smarthost.include === undefined
    ? 'v=spf1 mx ~all'
    : `v=spf1 mx include:${smarthost.include} -all`;
}

/** The owner's policy with what is missing, in front of what decides about everybody else. */
export function extendedPolicy(policy: string, { smarthost }: SendingWay): string {
  const added = smarthost?.include === undefined ? 'mx' : `include:${smarthost.include}`;
  return policy.replace(/^v=spf1/i, `v=spf1 ${added}`);
}

/** What SPF has to know of the relay; undefined where mail hosts send directly. */
export const smarthostPolicy = (settings: {
  SMARTHOST_URL?: string | undefined;
  SMARTHOST_SPF_INCLUDE?: string | undefined;
}): { include: string | undefined } | undefined =>
  settings.SMARTHOST_URL === undefined ? undefined : { include: settings.SMARTHOST_SPF_INCLUDE };

/** The DNS look-ups of an evaluation; an absent name is an empty answer. */
export interface SpfLookups {
  resolveA(name: string): Promise<string[]>;
  resolveMx(name: string): Promise<{ exchange: string }[]>;
  resolveTxt(name: string): Promise<string[]>;
}

/** `unclear`: a macro or a mechanism that only a receiver can evaluate decides. */
export type SpfVerdict = 'pass' | 'fail' | 'unclear' | 'invalid';

/** RFC 7208, 4.6.4: more look-ups make the policy invalid. */
const MAX_LOOKUPS = 10;

/**
 * Whether the domain's policy lets its messages leave by this way. Behind a relay with a policy of its own
 * it has to name that policy; otherwise it is evaluated for the host's address.
 */
export async function spfVerdict(
  dns: SpfLookups,
  { domain, policy, way }: { domain: string; policy: string; way: SendingWay },
): Promise<SpfVerdict> {
  const include = way.smarthost?.include;
  if (way.smarthost && include === undefined) return allOf(policy) === '-' ? 'fail' : 'pass';
  const state: Evaluation = { dns, ipv4: way.ipv4, include, lookups: 0 };
  return evaluate(state, domain, policy);
}

interface Evaluation {
  dns: SpfLookups;
  ipv4: string;
  /** Looked for instead of the address. */
  include: string | undefined;
  lookups: number;
}

async function evaluate(state: Evaluation, domain: string, policy: string): Promise<SpfVerdict> {
  let isUnclear = false;
  for (const term of policy.split(/\s+/).slice(1).filter(Boolean)) {
    const verdict = await matches(state, domain, term);
    if (verdict === 'invalid') return 'invalid';
    if (verdict === 'unclear') isUnclear = true;
    if (verdict !== true) continue;
    // A neutral or soft failure is not permission.
    return /^[-~?]/.test(term) ? (isUnclear ? 'unclear' : 'fail') : 'pass';
  }
  const redirect = /\sredirect=(\S+)/i.exec(policy)?.[1];
  if (redirect === undefined || /\s[-+~?]?all(\s|$)/i.test(policy))
    return isUnclear ? 'unclear' : 'fail';
  const next = await policyAt(state, redirect);
  return next === undefined ? 'invalid' : evaluate(state, redirect, next);
}

/** Whether one term matches the way. RFC 7208, 5. */
async function matches(
  state: Evaluation,
  domain: string,
  term: string,
): Promise<boolean | 'unclear' | 'invalid'> {
  const parsed = /^[-+~?]?([a-z0-9]+)(?::([^/\s]+))?((?:\/\S*)?)$/i.exec(term);
  if (!parsed) return /=/.test(term) ? false : 'invalid';
  const [, mechanism = '', named, prefix = ''] = parsed;
  const name = named ?? domain;
  if (name.includes('%')) return 'unclear';
  switch (mechanism.toLowerCase()) {
    case 'all':
      return true;
    case 'ip4':
      return state.include === undefined && isWithin(state.ipv4, `${named}${prefix}`);
    case 'ip6':
      return false;
    case 'a':
      if (!counted(state)) return 'invalid';
      return state.include === undefined && hasAddress(state, [name], prefix);
    case 'mx': {
      if (!counted(state)) return 'invalid';
      if (state.include !== undefined) return false;
      const hosts = (await state.dns.resolveMx(name)).map(({ exchange }) => exchange);
      return hasAddress(state, hosts.slice(0, MAX_LOOKUPS), prefix);
    }
    case 'include': {
      if (!counted(state)) return 'invalid';
      if (name.toLowerCase() === state.include?.toLowerCase()) return true;
      const policy = await policyAt(state, name);
      if (policy === undefined) return 'invalid';
      const verdict = await evaluate(state, name, policy);
      return verdict === 'pass' ? true : verdict === 'fail' ? false : verdict;
    }
    default:
      // `exists` and `ptr`: by what the receiver sees.
      return ['exists', 'ptr'].includes(mechanism.toLowerCase()) ? 'unclear' : 'invalid';
  }
}

const counted = (state: Evaluation): boolean => (state.lookups += 1) <= MAX_LOOKUPS;

async function policyAt(state: Evaluation, name: string): Promise<string | undefined> {
  const texts = await state.dns.resolveTxt(name);
  const policies = texts.filter((text) => /^v=spf1(\s|$)/i.test(text));
  return policies.length === 1 ? policies[0] : undefined;
}

async function hasAddress(
  { dns, ipv4 }: Evaluation,
  hosts: readonly string[],
  prefix: string,
): Promise<boolean> {
  const bits = /^\/(\d+)/.exec(prefix)?.[1];
  for (const host of hosts) {
    const addresses = await dns.resolveA(host);
    if (addresses.some((one) => isWithin(ipv4, bits === undefined ? one : `${one}/${bits}`))) {
      return true;
    }
  }
  return false;
}

/** Whether an address is in a network such as `192.0.2.0/24`. */
function isWithin(ipv4: string, network: string): boolean {
  const [start = '', bits = '32'] = network.split('/');
  const [address, first] = [numberOf(ipv4), numberOf(start)];
  const size = 2 ** (32 - Number(bits));
  if (address === undefined || first === undefined || !(size >= 1)) return false;
  return Math.floor(address / size) === Math.floor(first / size);
}

function numberOf(ipv4: string): number | undefined {
  const parts = ipv4.split('.').map(Number);
  const isValid = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255);
  return isValid ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}

/** The qualifier of a policy's `all`; undefined where it has none. */
const allOf = (policy: string): string | undefined => {
  const found = /\s([-+~?]?)all(?:\s|$)/i.exec(policy);
  return found ? found[1] || '+' : undefined;
};
