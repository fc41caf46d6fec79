/** The files that whoever deploys would write: .env, outreach.env; and what differs in this test alone. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { worldSettings } from '../../src/dev/processes/world-settings.ts';
import { HOST } from './engine.ts';
import type { ProjectFiles } from './project.ts';

export const SANDBOX_PORT = 3900;
export const OUTLET_PORT = 3128;
export const SANDBOX = `http://${HOST}:${SANDBOX_PORT}`;
export const API = 'http://127.0.0.1:3000';

export interface Deployment extends ProjectFiles {
  jwtSecret: string;
  webhookSecret: string;
  codecToken: string;
  /** The sandbox keeps its state there, and its certificate authority. */
  sandboxDir: string;
}

/** Writes them into `folder`: the vendors' addresses are those of the sandbox on the host. */
export async function writeSettings(folder: string): Promise<Deployment> {
  const sandboxDir = join(folder, 'sandbox');
  await mkdir(sandboxDir, { recursive: true, mode: 0o755 });
  const secret = () => randomBytes(24).toString('hex');
  const jwtSecret = `development-${secret()}`;
  const webhookSecret = `whsec_${secret()}`;
  const codecToken = `development-${secret()}`;
  const settings = {
    PUBLIC_URL: `http://${HOST}:3000`,
    JWT_SECRET: jwtSecret,
    ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    NODE_EXTRA_CA_CERTS: '/trust/ca.pem',
    ...worldSettings({
      sandbox: SANDBOX,
      dns: `${HOST}:3953`,
      socks: `socks5://${HOST}:3980`,
      daySeconds: 20,
    }),
  };
  const own = join(folder, 'outreach.env');
  const env = join(folder, '.env');
  const override = join(folder, 'override.yml');
  await writeFile(own, lines(settings), { mode: 0o600 });
  const passwords = {
    OUTREACH_DB_PASSWORD: secret(),
    POSTGRES_PASSWORD: secret(),
    CODEC_TOKEN: codecToken,
    OUTREACH_ENV_FILE: own,
  };
  await writeFile(env, lines(passwords), { mode: 0o600 });
  await writeFile(override, stringify(differences(sandboxDir)));
  return { override, env, jwtSecret, webhookSecret, codecToken, sandboxDir };
}

/** Builds reach the registry by the outlet. */
export function buildDifferences() {
  const outlet = `http://127.0.0.1:${OUTLET_PORT}`;
  const build = { network: 'host', args: { HTTPS_PROXY: outlet, https_proxy: outlet } };
  const names = ['migrate', 'api', 'worker', 'sandbox', 'tour'];
  return Object.fromEntries(names.map((name) => [name, { build }]));
}

/** And processes trust the authority of a sandbox that is no container. */
function differences(sandboxDir: string) {
  const volumes = [`${sandboxDir}/ca.pem:/trust/ca.pem:ro`];
  const { api, worker, ...rest } = buildDifferences();
  return { services: { ...rest, api: { ...api, volumes }, worker: { ...worker, volumes } } };
}

const lines = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
