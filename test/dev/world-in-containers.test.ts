/** deploy/world: what `docker compose --profile world` sets is what the world in a box sets. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { LINKS_HOST } from '../../src/sandbox/links-host.ts';
import { root } from '../../src/dev/processes/processes.ts';
import { worldSettings } from '../../src/dev/processes/world-settings.ts';
import { developmentSettings } from '../../src/settings/development-settings.ts';
import { environmentSchema } from '../../src/settings/environment.ts';

const file = join(root, 'deploy/world/outreach.env');
const read = (name: string) => readFile(join(root, name), 'utf8');

/** Own settings of the containers; the rest is that of every world. */
const OWN = {
  PUBLIC_URL: 'http://api:3000',
  JWT_SECRET: 'development-jwt-secret-of-the-world-in-containers',
  ENCRYPTION_KEYS: `development:${Buffer.alloc(32, 'world').toString('base64')}`,
  STRIPE_WEBHOOK_SECRET: 'whsec_development_of_the_world_in_containers',
  NODE_EXTRA_CA_CERTS: '/trust/ca.pem',
  LINKS_HOST,
};

interface Compose {
  services: Record<
    string,
    { command?: string[]; networks?: Record<string, { ipv4_address: string }> }
  >;
}

async function settings(): Promise<Record<string, string>> {
  const { services } = parse(await read('docker-compose.yml'), { merge: true }) as Compose;
  const { ipv4_address: address } = services['sandbox']!.networks!['default']!;
  const ip = address.replace(/\$\{\w+:-(.*?)\}/, '$1');
  return {
    ...OWN,
    ...worldSettings({
      sandbox: 'http://sandbox:3900',
      dns: `${ip}:3953`,
      socks: 'socks5://sandbox:3980',
      daySeconds: 20,
    }),
  };
}

describe('deploy/world', () => {
  it('has the settings of the world, with the addresses of its containers', async () => {
    const wanted = await settings();
    // To write it anew after a change of the world: UPDATE_WORLD_ENV=1.
    if (process.env['UPDATE_WORLD_ENV']) await writeFile(file, written(wanted));
    expect(parseEnv(await read('deploy/world/outreach.env'))).toEqual(wanted);
  });

  it('leads links on other domains to the ports of the API', async () => {
    const { services } = parse(await read('docker-compose.yml'), { merge: true }) as Compose;
    const command = services['sandbox']!.command!.join(' ');
    const { LINKS_HTTP_PORT: http, LINKS_TLS_PORT: tls } = environmentSchema.shape;
    expect(Object.keys(services)).toContain('api');
    expect(command).toContain('--links-address api');
    expect(command).toContain(`--links-http-port ${http.parse(undefined)}`);
    expect(command).toContain(`--links-tls-port ${tls.parse(undefined)}`);
  });

  it('is refused by a production process, secret by secret', async () => {
    const given = { ...(await settings()), DATABASE_URL: 'postgres://a:b@c/d' };
    const environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
    const parsed = environmentSchema.parse({ ...environment, TEMPORAL_ADDRESS: 'temporal:7233' });
    const refused = developmentSettings(parsed, environment).map((line) => line.split(':')[0]);
    expect(refused).toEqual(
      expect.arrayContaining(['JWT_SECRET', 'ENCRYPTION_KEYS', 'PUBLIC_URL', 'HETZNER_TOKEN']),
    );
  });

  it('opens the API to this machine alone', async () => {
    expect(parseEnv(await read('deploy/world/compose.env'))).toMatchObject({
      OUTREACH_API_BIND: '127.0.0.1',
      OUTREACH_ENV_FILE: 'deploy/world/outreach.env',
    });
  });

  it('has volumes of its own: to take it away leaves an installation on the machine as it is', async () => {
    const { name } = parse(await read('docker-compose.yml')) as { name: string };
    const { COMPOSE_PROJECT_NAME: own } = parseEnv(await read('deploy/world/compose.env'));
    expect(own).toMatch(/^outreach-/);
    expect(own).not.toBe(name);
  });
});

function written(wanted: Record<string, string>): string {
  const lines = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return `# The world's settings of API and worker; test/dev/world-in-containers.test.ts says whence.\n${lines.join('\n')}\n`;
}
