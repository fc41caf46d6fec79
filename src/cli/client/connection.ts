/** To which API a client's command speaks, and with which key. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import {
  createOutreach,
  type CallOptions,
  type Outreach,
} from '../../../clients/typescript/src/index.ts';
import { parseUrl } from '../../domain/url.ts';
import { CommandEnd, EXIT, WORLD_FILE, type Io } from '../io.ts';
import { DEFAULT_PROFILE, findLogin, readOrNone, type Login } from './credentials.ts';
import { failureOf } from './failures.ts';

/** Options of every command that calls the API. */
export interface ClientOptions {
  json?: boolean;
  profile?: string;
  world?: string;
  idempotencyKey?: string;
}

/** Adds `--profile` and `--world`. */
export const withLogin = (command: Command): Command =>
  command
    .option('--profile <name>', 'the login that is used')
    .option('--world <file>', 'use a running world, by its file');

/** Adds `--idempotency-key` to a command that makes, spends or sends something. */
export const withIdempotencyKey = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'repeated with the same one it has its effect once');

type Once = CallOptions & { idempotencyKey: string };

export interface Client {
  outreach: Outreach;
  /** Of the API. */
  url: string;
  /** Sends the request that has the command's effect: where no answer comes, it says how to repeat it. */
  once: <T>(send: (options: Once) => Promise<T>) => Promise<T>;
}

/** Runs `work` with the client of whoever is logged in; what goes wrong ends the command with its code. */
export async function withClient<T>(
  io: Io,
  options: ClientOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, apiKey } = await loginOf(io, options);
  const outreach = createOutreach({ baseUrl: url, apiKey });
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  const hint = `Whether it was done is not known: repeat it with --idempotency-key ${idempotencyKey}`;
  const once: Client['once'] = (send) =>
    send({ idempotencyKey }).catch((error: unknown) => {
      throw failureOf(error, { apiKey, hint });
    });
  return work({ outreach, url, once }).catch((error: unknown) => {
    throw failureOf(error, { apiKey });
  });
}

/**
 * The named profile or world; else OUTREACH_URL and OUTREACH_API_KEY, which belong together: a key is sent to the
 * installation that it came with and to no other. Else the default profile, else the world that runs here.
 */
export async function loginOf(io: Io, { profile, world }: ClientOptions): Promise<Login> {
  if (profile !== undefined) {
    const login = await findLogin(io, profile);
    if (login) return login;
    throw new CommandEnd(
      EXIT.failed,
      `There is no profile ${profile}: outreach login --profile ${profile}`,
    );
  }
  if (world !== undefined) return loginOfWorld(world);
  const ofEnvironment = environmentLogin(io);
  if (ofEnvironment) return ofEnvironment;
  const stored = await findLogin(io, DEFAULT_PROFILE);
  if (stored) return stored;
  if (existsSync(WORLD_FILE)) return loginOfWorld(WORLD_FILE);
  throw new CommandEnd(
    EXIT.failed,
    'You are not logged in: `outreach login`, or set OUTREACH_URL and OUTREACH_API_KEY.',
  );
}

/** Whether a key of a client is there, without reading it. */
export async function hasLogin(io: Io): Promise<boolean> {
  const { OUTREACH_URL, OUTREACH_API_KEY } = io.environment;
  if (OUTREACH_URL || OUTREACH_API_KEY) return true;
  return (await findLogin(io, DEFAULT_PROFILE)) !== undefined;
}

/** Without a slash at its end; undefined for what is no address of an API, or holds a password, which errors would show. */
export function baseUrlOf(text: string): string | undefined {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.search !== '') return;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function environmentLogin({ environment }: Io): Login | undefined {
  const { OUTREACH_URL: url, OUTREACH_API_KEY: apiKey } = environment;
  if (!url && !apiKey) return undefined;
  if (url && apiKey) {
    const baseUrl = baseUrlOf(url);
    if (baseUrl !== undefined) return { url: baseUrl, apiKey };
    throw new CommandEnd(EXIT.failed, 'OUTREACH_URL is no address such as https://a.example.com');
  }
  const missing = url ? 'OUTREACH_API_KEY' : 'OUTREACH_URL';
  throw new CommandEnd(EXIT.failed, `${missing} is not set: both are needed, or none.`);
}

async function loginOfWorld(file: string): Promise<Login> {
  const text = await readOrNone(file);
  try {
    const { api, apiKey } = JSON.parse(text ?? '') as { api: string; apiKey: string };
    return { url: api, apiKey };
  } catch {
    throw new CommandEnd(EXIT.failed, `${file} cannot be read: is the world running?`);
  }
}
