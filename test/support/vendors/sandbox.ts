/** A sandbox of a test's own, with callers that act like the vendors' clients. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';

export const WEBHOOK_SECRET = 'whsec_test';

/** What came back; `body` is parsed where it is JSON. */
export interface Reply {
  status: number;
  headers: Headers;
  // Tests read whatever the vendor answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface TestSandbox extends Sandbox {
  stateDir: string;
  control: (method: string, path: string, body?: unknown) => Promise<Reply>;
  namecom: (method: string, path: string, body?: unknown, headers?: object) => Promise<Reply>;
  stripe: Stripe;
  /** Any vendor by its mount: `/apify/v2/actor-runs`. */
  ask: (method: string, path: string, body?: unknown, headers?: object) => Promise<Reply>;
  /** Closes it and starts another on the same state directory. */
  restart(): Promise<TestSandbox>;
  /** Closes it and deletes its state. */
  remove(): Promise<void>;
}

/**
 * Starts on free ports in a new state directory, unless `options` name one. At real pace (1) the world
 * enforces the vendors' rate limits. A faster one has none: how many calls of a test fall into its
 * short second depends on the machine.
 */
export async function startTestSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), 'sandbox-'));
  const all: SandboxOptions = {
    port: 0,
    dnsPort: 0,
    socksPort: 0,
    // Nothing listens on port 9 of the loopback.
    webhookUrl: 'http://127.0.0.1:9/wallet/webhook',
    webhookSecret: WEBHOOK_SECRET,
    pace: 1,
    ...options,
    stateDir,
  };
  all.limitPace ??= all.pace === 1 ? 1 : Infinity;
  const sandbox = await startSandbox(all);
  const { hostname, port } = new URL(sandbox.url);
  return {
    ...sandbox,
    stateDir,
    control: (method, path, body) => call(`${sandbox.url}/_sandbox${path}`, { method, body }),
    namecom: (method, path, body, headers) =>
      call(`${sandbox.url}/namecom/core/v1${path}`, {
        method,
        body,
        headers: { authorization: NAMECOM_CREDENTIALS, ...headers },
      }),
    stripe: new Stripe('sk_test_sandbox', {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: ANSWER_TIMEOUT_MS,
    }),
    ask: (method, path, body, headers = {}) =>
      call(`${sandbox.url}${path}`, { method, body, headers }),
    async restart() {
      await sandbox.close();
      return startTestSandbox(all);
    },
    async remove() {
      await sandbox.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

const NAMECOM_CREDENTIALS = `Basic ${btoa('sandbox-test:namecom-sandbox-token')}`;
/** An answer is expected: the time-out is for a machine that is busy. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Rate limits last a hundred times longer: a test that uses them up need not be quick. */
export const STRICT_PACE = 0.01;
/**
 * When a call that gets no answer is given up: long enough for it to have arrived and to be in work.
 */
export const LOST_AFTER_MS = 2_000;

interface Calling {
  method: string;
  body?: unknown;
  headers?: object;
}

async function call(url: string, { method, body, headers }: Calling): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
