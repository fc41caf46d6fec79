/** The only reader of the environment: returns settings and vendors as one frozen `Config`. */
import { z } from 'zod';
import { settingProblems } from './providers/vendor.ts';
import { vendors, type VendorStates } from './providers/vendors.ts';
import { developmentSettings } from './settings/development-settings.ts';
import { environmentSchema, type Settings } from './settings/environment.ts';
import { testEnvironment, testModeProblems } from './settings/test-mode.ts';
import { testKeys } from './encryption/test-keys.ts';
import { temporalProblems } from './temporal/connection.ts';

export interface Config extends Settings {
  vendors: VendorStates;
  /** The network of clients' endpoints, which are outside in both modes. */
  outside: Outside;
}

const outsideSchema = environmentSchema.pick({
  DNS_SERVERS: true,
  OUTBOUND_PROXY: true,
  CRAWLER_ALLOW_BENCHMARK_RANGE: true,
});
type Outside = Readonly<z.infer<typeof outsideSchema>>;

/**
 * Reads the environment. Throws one Error that lists every problem by variable name; values are never
 * repeated, since they may be secrets.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = withoutEmpty(environment);
  const present = inItsMode(given);
  const parsed = environmentSchema.safeParse(present);
  const outside = outsideSchema.safeParse(given);
  const problems = testModeProblems(given);
  for (const { error } of [parsed, outside]) {
    if (error) problems.push(...settingProblems(error));
  }
  const states: Record<string, Record<string, unknown>> = {};
  for (const [portName, portVendors] of Object.entries(vendors)) {
    const perVendor: Record<string, unknown> = {};
    for (const [name, vendor] of Object.entries(portVendors)) {
      const state = vendor.configure(present);
      if (state.state === 'incomplete') problems.push(...state.problems);
      perVendor[name] = state;
    }
    states[portName] = perVendor;
  }
  problems.push(...contradictions(present, states));
  if (problems.length > 0 || !parsed.success || !outside.success) {
    // A vendor behind two ports reports the same variables twice.
    const each = [...new Set(problems)];
    throw new Error(`The configuration is not usable:\n- ${each.join('\n- ')}`);
  }
  const found = states as unknown as VendorStates;
  return Object.freeze({ ...parsed.data, vendors: found, outside: outside.data });
}

/** What is wrong with settings that can be read; those that cannot hide none of it until the next start. */
function contradictions(
  present: NodeJS.ProcessEnv,
  states: Record<string, Record<string, unknown>>,
): string[] {
  const { error } = environmentSchema.safeParse(present);
  const unread = new Set(error?.issues.map(({ path }) => String(path[0])));
  const readable = Object.entries(present).filter(([name]) => !unread.has(name));
  const settings = environmentSchema.safeParse({
    ...(error && ANY_NEEDED),
    ...Object.fromEntries(readable),
  }).data;
  if (settings === undefined) return [];
  const problems: string[] = [];
  // What test mode has of its own are stand-ins' addresses, and the API reads the rest in live mode, too.
  if (isLiveProduction(settings)) problems.push(...developmentSettings(settings, present));
  if (!present['NOTIFY_SMTP_URL'] !== !present['NOTIFY_FROM']) {
    problems.push('NOTIFY_FROM: it is needed with NOTIFY_SMTP_URL, and only with it');
  }
  const model = settings.INTEREST_MODEL;
  if (model !== undefined && !isOn(states['answerJudges']?.[model])) {
    problems.push(`INTEREST_MODEL: ${model} is not configured`);
  }
  problems.push(...temporalProblems(settings));
  if (!hasJwtKey(settings) && !JWT_KEYS.some((name) => unread.has(name))) {
    problems.push('JWT_SECRET: one of JWT_SECRET, JWT_JWKS_URL, JWT_PUBLIC_KEY is needed');
  }
  return problems.filter((problem) => !unread.has(problem.split(':')[0]!));
}

/** In the place of what has no default and is missing, so that the rest can be judged. */
const ANY_NEEDED = {
  DATABASE_URL: 'postgres://user@127.0.0.1/name',
  ENCRYPTION_KEYS: `any:${Buffer.alloc(32).toString('base64')}`,
};

/** The configuration of test mode beside that of live mode; undefined where there is no test mode. */
export function readTestConfig(environment: NodeJS.ProcessEnv = process.env): Config | undefined {
  if (!environment['SANDBOX_URL']) return undefined;
  return readConfig({ ...environment, OUTREACH_MODE: 'test' });
}

/** Test mode has an environment of its own, in which no vendor but the sandbox is. */
function inItsMode(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (given['OUTREACH_MODE'] !== 'test') return given;
  const { ENCRYPTION_KEYS: keys, LINK_KEYS: linkKeys } = given;
  return withoutEmpty({
    ...testEnvironment(given),
    ...(keys !== undefined && { ENCRYPTION_KEYS: testKeys(keys) }),
    ...(linkKeys !== undefined && { LINK_KEYS: testKeys(linkKeys) }),
  });
}

const isOn = (state: unknown): boolean => (state as { state?: string } | undefined)?.state === 'on';

const isLiveProduction = (settings: Settings) =>
  settings.OUTREACH_ENV === 'production' && settings.OUTREACH_MODE === 'live';

/** What `outreach migrate` needs; throws an Error that names what is missing. */
export const readMigrationSettings = (environment: NodeJS.ProcessEnv = process.env) =>
  readPart(
    z.object({
      DATABASE_OWNER_URL: z.string({ error: 'is needed' }).min(1),
      DATABASE_URL: z.string({ error: 'is needed' }).min(1),
    }),
    environment,
  );

/** Settings that `outreach token` signs with. */
export const readJwtSettings = (environment: NodeJS.ProcessEnv = process.env) =>
  readPart(
    environmentSchema.pick({ JWT_SECRET: true, JWT_ISSUER: true, JWT_AUDIENCE: true }),
    environment,
  );

/** The keys that `outreach keys` works with. */
export const readEncryptionKeys = (environment: NodeJS.ProcessEnv): string =>
  readPart(environmentSchema.pick({ ENCRYPTION_KEYS: true }), environment).ENCRYPTION_KEYS;

/** What a command that logs in to mail hosts needs. */
export const readHostSettings = (environment: NodeJS.ProcessEnv) =>
  readPart(
    environmentSchema.pick({
      ENCRYPTION_KEYS: true,
      PROVIDER_TIMEOUT_SECONDS: true,
      OUTBOUND_PROXY: true,
      ACME_DIRECTORY_URL: true,
      HOST_BACKUP_DIR: true,
    }),
    environment,
  );

/** Settings of commands that inspect a running installation; `otherwise` is called without DATABASE_URL. */
export const readOperatorSettings = (
  environment: NodeJS.ProcessEnv,
  otherwise: () => NodeJS.ProcessEnv,
) =>
  readPart(
    environmentSchema
      .pick({
        OUTREACH_MODE: true,
        DATABASE_URL: true,
        TEMPORAL_ADDRESS: true,
        TEMPORAL_NAMESPACE: true,
        TEMPORAL_API_KEY: true,
        TEMPORAL_TLS: true,
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: true,
        TEMPORAL_TLS_SERVER_NAME: true,
        TEMPORAL_TLS_CLIENT_CERT_PATH: true,
        TEMPORAL_TLS_CLIENT_KEY_PATH: true,
        ENCRYPTION_KEYS: true,
      })
      .partial({ ENCRYPTION_KEYS: true }),
    hasDatabase(environment) ? environment : { ...environment, ...otherwise() },
  );

/** Whether the environment names the database of the mode that it asks for. */
export const hasDatabase = (environment: NodeJS.ProcessEnv): boolean =>
  Boolean(
    environment[environment['OUTREACH_MODE'] === 'test' ? 'TEST_DATABASE_URL' : 'DATABASE_URL'],
  );

/** The environment of this process, for a command that passes parts of it on. */
export const commandEnvironment = (): NodeJS.ProcessEnv => process.env;

function readPart<S extends z.ZodObject>(schema: S, environment: NodeJS.ProcessEnv): z.infer<S> {
  const parsed = schema.safeParse(inItsMode(withoutEmpty(environment)));
  if (parsed.success) return parsed.data;
  const problems = settingProblems(parsed.error);
  throw new Error(`The configuration is not usable:\n- ${problems.join('\n- ')}`);
}

/** A variable set to nothing counts as unset. */
const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

const JWT_KEYS = ['JWT_SECRET', 'JWT_JWKS_URL', 'JWT_PUBLIC_KEY'];
const hasJwtKey = (s: Settings) =>
  s.JWT_SECRET.length > 0 || Boolean(s.JWT_JWKS_URL ?? s.JWT_PUBLIC_KEY);
