/** docker-compose.yml and its secrets: none has a default, and each goes to those alone that need it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  environment?: Record<string, string | number>;
  env_file?: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFile(`${root}/${name}`, 'utf8');

const text = await read('docker-compose.yml');
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const services = Object.entries(compose.services);

/** Everything that compose reads from its environment: name, and what stands behind the name. */
const taken = [...text.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name, rest]) => ({ name, rest }));
const names = (all: typeof taken) => [...new Set(all.map(({ name }) => name!))].toSorted();
const secrets = names(taken.filter(({ rest }) => rest === ':?'));
const settings = names(taken.filter(({ rest }) => rest !== ':?'));

const RECIPIENTS = {
  POSTGRES_PASSWORD: ['postgres', 'temporal-schema', 'temporal', 'migrate'],
  OUTREACH_DB_PASSWORD: ['migrate', 'api', 'worker'],
  CODEC_TOKEN: ['temporal-ui', 'api'],
};

describe('the secrets of docker-compose.yml', () => {
  it('have no default, and what has one is no secret', () => {
    expect(secrets).toEqual(Object.keys(RECIPIENTS).toSorted());
    const own = ['OUTREACH_API_BIND', 'OUTREACH_ENV_FILE', 'OUTREACH_IMAGE', 'OUTREACH_NET'];
    own.push('OUTREACH_POSTGRES_VOLUME');
    expect(settings).toEqual(['OTLP_ENDPOINT', 'OTLP_EXPORTER', ...own]);
    const set = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = set.filter(
      ([name, value]) => /PASSWORD|PWD|SECRET|TOKEN|KEY|_URL$/.test(name) && value !== '',
    );
    expect(secret.filter(([, value]) => !/\$\{\w+:\?\}/.test(String(value)))).toEqual([]);
  });

  it('go to those alone that need them, and no container has all', () => {
    for (const [secret, recipients] of Object.entries(RECIPIENTS)) {
      const given = services
        .filter(([, { environment = {} }]) =>
          Object.values(environment).some((value) => String(value).includes(`\${${secret}:?}`)),
        )
        .map(([name]) => name);
      expect(given).toEqual(recipients);
    }
    // Compose reads `.env` for itself: a container that took all of it would have each secret.
    const whole = services.filter(([, service]) => service.env_file !== undefined);
    const file = '${OUTREACH_ENV_FILE:-outreach.env}';
    expect(whole.map(([name, service]) => [name, service.env_file])).toEqual(
      ['api', 'worker', 'sandbox', 'tour'].map((name) => [name, file]),
    );
    for (const name of ['api', 'worker']) {
      expect(compose.services[name]!.environment).toMatchObject({ DATABASE_OWNER_URL: '' });
    }
  });

  it('are made by the guide, which explains every other setting', async () => {
    const guide = await read('docs/deployment.md');
    const [, made] = /^for name in (.+); do$/m.exec(guide)!;
    expect(made!.split(' ').toSorted()).toEqual(secrets);
    const example = await read('.env.example');
    expect(secrets.filter((name) => !example.includes(name))).toEqual([]);
    expect(settings.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});
