/** docker-compose.yml: sound by structure, since no Docker engine runs it here. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '../src/settings/environment.ts';
import type { Vendor } from '../src/providers/vendor.ts';
import { vendors } from '../src/providers/vendors.ts';

interface Service {
  image?: string;
  build?: string;
  restart?: string;
  command?: string[];
  environment?: Record<string, string | number>;
  env_file?: string;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFile(`${root}/${name}`, 'utf8');

const text = await read('docker-compose.yml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, object | null>;
};
const services = Object.entries(compose.services);

/** Names that the images of others read, by image. */
const foreign: Record<string, readonly string[]> = {
  postgres: ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'],
  'temporalio/auto-setup': ['DB', 'DB_PORT', 'POSTGRES_SEEDS', 'POSTGRES_USER', 'POSTGRES_PWD'],
  'temporalio/ui': ['TEMPORAL_ADDRESS', 'TEMPORAL_CODEC_ENDPOINT'],
};

const ours = [
  ...Object.keys(environmentSchema.shape),
  ...Object.values(vendors)
    .flatMap((port) => Object.values<Vendor<string, unknown>>(port))
    .flatMap((vendor) => vendor.variables),
];

/** The part of the Compose specification that the file uses; what is not named here is refused. */
const strings = { type: 'array', items: { type: 'string' } };
const duration = { type: 'string', pattern: String.raw`^\d+(ms|s|m)$` };
const composeSchema = {
  type: 'object',
  required: ['services', 'volumes'],
  patternProperties: { '^x-': {} },
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    volumes: { type: 'object', additionalProperties: { type: ['object', 'null'] } },
    services: { type: 'object', additionalProperties: { $ref: '#/$defs/service' } },
  },
  $defs: {
    service: {
      type: 'object',
      required: ['image', 'restart'],
      additionalProperties: false,
      properties: {
        image: { type: 'string', pattern: '^[a-z0-9./-]+:[A-Za-z0-9._-]+$' },
        build: { type: 'string' },
        restart: { enum: ['unless-stopped', 'on-failure'] },
        command: strings,
        entrypoint: strings,
        env_file: { type: 'string' },
        environment: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
        ports: {
          type: 'array',
          items: { type: 'string', pattern: String.raw`^(127\.0\.0\.1:)?\d+:\d+$` },
        },
        volumes: { type: 'array', items: { type: 'string', pattern: '^[a-z]+:/' } },
        healthcheck: {
          type: 'object',
          required: ['test', 'interval', 'timeout', 'retries'],
          additionalProperties: false,
          properties: {
            test: {
              type: 'array',
              minItems: 2,
              prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }],
              items: { type: 'string' },
            },
            interval: duration,
            timeout: duration,
            start_period: duration,
            retries: { type: 'integer' },
          },
        },
        depends_on: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['condition'],
            additionalProperties: false,
            properties: {
              condition: {
                enum: ['service_started', 'service_healthy', 'service_completed_successfully'],
              },
            },
          },
        },
      },
    },
  },
};

describe('docker-compose.yml', () => {
  it('has the structure of the Compose specification', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(composeSchema);
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('has Postgres, Temporal with its UI, the API, the worker and migrations as a job', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'migrate', 'api', 'worker']),
    );
    expect(compose.services['migrate']!.restart).toBe('on-failure');
  });

  it.each(services)('gives %s variables that its program reads', (_name, service) => {
    const image = service.image!.slice(0, service.image!.lastIndexOf(':'));
    const known = service.build ? ours : foreign[image];
    for (const variable of Object.keys(service.environment ?? {})) {
      expect(known).toContain(variable);
    }
  });

  it('takes every secret from outside and has a default for none', () => {
    const taken = [...text.matchAll(/\$\{(\w+)([^}]*)\}/g)];
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter(([, , rest]) => rest !== ':?')).toEqual([]);
    const set = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = set.filter(
      ([name, value]) => /PASSWORD|PWD|SECRET|TOKEN|KEY|_URL$/.test(name) && value !== '',
    );
    expect(secret.filter(([, value]) => !/\$\{\w+:\?\}/.test(String(value)))).toEqual([]);
  });

  it('hands each secret to those alone that need it, and no container all of them', async () => {
    const given = (secret: string) =>
      services
        .filter(([, { environment = {} }]) =>
          Object.values(environment).some((value) => String(value).includes(`\${${secret}:?}`)),
        )
        .map(([name]) => name);
    const recipients = {
      POSTGRES_PASSWORD: ['postgres', 'temporal', 'migrate'],
      OUTREACH_DB_PASSWORD: ['migrate', 'api', 'worker'],
      CODEC_TOKEN: ['temporal-ui', 'api'],
    };
    const taken = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect([...taken].toSorted()).toEqual(Object.keys(recipients).toSorted());
    for (const [secret, names] of Object.entries(recipients)) expect(given(secret)).toEqual(names);

    // Compose reads `.env` for itself: a container that took all of it would have each secret.
    const whole = services.filter(([, service]) => service.env_file !== undefined);
    expect(whole.map(([name, service]) => [name, service.env_file])).toEqual([
      ['api', 'outreach.env'],
      ['worker', 'outreach.env'],
    ]);
    for (const [, service] of whole) {
      expect(service.environment).toMatchObject({ DATABASE_OWNER_URL: '' });
    }
    const guide = await read('docs/deployment.md');
    const [, names] = /^for name in (.+); do$/m.exec(guide)!;
    expect(names!.split(' ').toSorted()).toEqual([...taken].toSorted());
  });

  it('shows operators payloads on this machine alone, where the API serves the codec', () => {
    const { api, 'temporal-ui': ui } = compose.services;
    const codec = String(environmentSchema.shape.CODEC_PORT.parse(undefined));
    expect(api!.ports).toContain(`127.0.0.1:${codec}:${codec}`);
    expect(ui!.environment?.['TEMPORAL_CODEC_ENDPOINT']).toContain(`//127.0.0.1:${codec}/codec/`);
    const [from] = ui!.ports!.map((one) => one.replace(/:\d+$/, ''));
    expect(api!.environment?.['CODEC_CORS_ORIGINS']).toBe(`http://${from}`);
  });

  it('asks for nothing that .env.example does not name', async () => {
    const example = await read('.env.example');
    const taken = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    expect(taken.filter((name) => !example.includes(name))).toEqual([]);
  });

  it('names no image "latest", whose meaning changes', () => {
    expect(services.filter(([, { image }]) => image!.endsWith(':latest'))).toEqual([]);
  });

  it('keeps data in named volumes, and has each that is named', () => {
    const used = services.flatMap(([, { volumes = [] }]) => volumes.map((v) => v.split(':')[0]!));
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(compose.services['postgres']!.volumes).toHaveLength(1);
  });

  it('waits for what exists, in a way that it can answer', () => {
    const needs = services.flatMap(([, service]) => Object.entries(service.depends_on ?? {}));
    expect(needs.length).toBeGreaterThan(5);
    const unanswered = needs.filter(([needed, { condition }]) => {
      const service = compose.services[needed];
      if (condition === 'service_healthy') return !service?.healthcheck;
      if (condition === 'service_completed_successfully') return service?.restart !== 'on-failure';
      return !service;
    });
    expect(unanswered).toEqual([]);
  });

  it('asks everything that goes on running how it is, but the UI', () => {
    const running = services.filter(([, { restart }]) => restart === 'unless-stopped');
    const silent = running.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
    expect(silent).toEqual(['temporal-ui']);
  });

  it('asks a worker whether it works, not whether it can be measured', () => {
    const { test } = compose.services['worker']!.healthcheck!;
    const port = String(environmentSchema.shape.WORKER_METRICS_PORT.parse(undefined));
    expect(test.at(-1)).toContain(`fetch('http://127.0.0.1:${port}/ready')`);
  });

  it('starts files that the build makes', () => {
    const commands = services.filter(([, { build }]) => build).map(([, { command }]) => command!);
    const sources = commands.map(([, file]) => file!.replace(/^dist\/(.+)\.js$/, '$1.ts'));
    expect(sources).toHaveLength(3);
    expect(sources.filter((source) => !existsSync(`${root}/${source}`))).toEqual([]);
  });
});
