/** How a vendor is declared: its settings (by environment variable) and its adapter, in one object. */
import type { z } from 'zod';
import type { ProbePlaces } from '../domain/email-validation/probe-places.ts';
import type { VendorLimit } from '../domain/accounts/vendor-limits.ts';
import { parseUrl } from '../domain/url.ts';

/** What an adapter may use besides its own settings. */
export interface ProviderTools {
  /** How long one HTTP answer may take. */
  timeoutMs: number;
  /** `socks5://host:port` through which SSH, SMTP and IMAP connections go; undefined = direct. */
  outboundProxy: string | undefined;
  /** The resolver of `DNS_SERVERS`, for adapters that dial hosts named by strangers. */
  dns?: NameResolver;
  /** The connection limits that processes which probe mail exchangers share. */
  probePlaces?: ProbePlaces;
  /** Whether 198.18.0.0/15 counts as public: the development world uses it. */
  allowBenchmarkRange?: boolean;
  /** Whether nothing but 198.18.0.0/15 may be dialled: the sandbox of test mode is there. */
  reach?: 'benchmark' | undefined;
}

/** The part of the port of DNS that such adapters use. */
export interface NameResolver {
  resolveA(name: string): Promise<string[]>;
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
}

/** The settings of a vendor as read from the environment. */
export type VendorState<Port> =
  | { state: 'off' }
  | { state: 'incomplete'; problems: string[] }
  | { state: 'on'; create: (tools: ProviderTools) => Port; limit?: VendorLimit };

/** A vendor of some port. `variables` lists its environment variables for `.env.example`. */
export interface Vendor<Name extends string, Port> {
  name: Name;
  variables: string[];
  /** Address variables for which production accepts only the vendor's own host. */
  developmentVariables: string[];
  /** Those of them that point somewhere else, such as at a stand-in. */
  developmentSettings(environment: Record<string, string | undefined>): string[];
  configure(environment: Record<string, string | undefined>): VendorState<Port>;
}

/**
 * Declares a vendor. `settings` is a zod object whose keys are environment variables.
 * None of its required variables set: off. Some: incomplete, and start-up names what is missing.
 */
export function defineVendor<Name extends string, S extends z.ZodObject, Port>(vendor: {
  name: Name;
  settings: S;
  developmentVariables?: (keyof z.infer<S> & string)[];
  /** The vendor's own host names; any other address is a stand-in's. */
  ownHosts?: readonly string[];
  /** Enforced by the vendor's task queue. */
  limit?: VendorLimit;
  create: (settings: z.infer<S>, tools: ProviderTools) => Port;
}): Vendor<Name, Port> {
  const variables = Object.keys(vendor.settings.shape);
  return {
    name: vendor.name,
    variables,
    developmentVariables: vendor.developmentVariables ?? [],
    developmentSettings: (environment) =>
      (vendor.developmentVariables ?? []).filter((v) => {
        const address = environment[v];
        return address && !isAt(address, vendor.ownHosts ?? []);
      }),
    configure(environment) {
      const given = Object.fromEntries(
        variables.filter((v) => environment[v]).map((v) => [v, environment[v]]),
      );
      const required = variables.filter(
        (v) => !vendor.settings.shape[v]!.safeParse(undefined).success,
      );
      if (required.every((v) => given[v] === undefined)) return { state: 'off' };
      const parsed = vendor.settings.safeParse(given);
      if (!parsed.success) {
        return { state: 'incomplete', problems: settingProblems(parsed.error) };
      }
      const { limit } = vendor;
      const create = (tools: ProviderTools) => vendor.create(parsed.data, tools);
      return { state: 'on', create, ...(limit && { limit }) };
    },
  };
}

/** By variable. The value stays out of the message: it may be a secret. */
export const settingProblems = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => {
    const words = message.endsWith('received undefined') ? 'is needed' : message;
    return `${path.join('.')}: ${words}`;
  });

function isAt(address: string, hosts: readonly string[]): boolean {
  const url = parseUrl(address);
  return url?.protocol === 'https:' && hosts.includes(url.hostname);
}

/** The configured ones, by name. */
export function createEach<Port>(
  states: Readonly<Record<string, VendorState<Port>>>,
  make: (name: string, create: (tools: ProviderTools) => Port) => Port,
): Record<string, Port> {
  const created: Record<string, Port> = {};
  for (const [name, state] of Object.entries(states)) {
    if (state.state === 'on') created[name] = make(name, state.create);
  }
  return created;
}
