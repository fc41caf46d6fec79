/** docker-compose.yml by its structure, in a second; `npm run test:compose` runs it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '../src/settings/environment.ts';
import type { Vendor } from '../src/providers/vendor.ts';
import { vendors } from '../src/providers/vendors.ts';
import { TEMPORAL_VERSION } from './cluster/temporal-build.ts';
import { composeSchema } from './compose/schema.ts';

interface Service {
  image?: string;
  build?: string | { target: string };
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | number>;
  env_file?: string;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  logging?: { options: Record<string, string> };
  deploy?: { resources: { limits: Record<string, string | number> } };
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
const ofProfile = (name: string) =>
  services.filter(([, { profiles }]) => profiles?.includes(name)).map(([service]) => service);

/** Names that the images of others read, by image. */
const foreign: Record<string, readonly string[]> = {
  postgres: ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'],
  'temporalio/server': [
    'DB',
    'DB_PORT',
    'POSTGRES_SEEDS',
    'POSTGRES_USER',
    'POSTGRES_PWD',
    'BIND_ON_IP',
    'NUM_HISTORY_SHARDS',
    'DYNAMIC_CONFIG_FILE_PATH',
    'PROMETHEUS_ENDPOINT',
    'LOG_LEVEL',
  ],
  'temporalio/admin-tools': ['SQL_PASSWORD', 'TEMPORAL_ADDRESS'],
  'temporalio/ui': ['TEMPORAL_ADDRESS', 'TEMPORAL_CODEC_ENDPOINT', 'TEMPORAL_CORS_ORIGINS'],
};

const ours = [
  ...Object.keys(environmentSchema.shape),
  ...Object.values(vendors)
    .flatMap((port) => Object.values<Vendor<string, unknown>>(port))
    .flatMap((vendor) => vendor.variables),
];

/** What a script or a file of ours reads, which the service mounts. */
async function readByMounts({ volumes = [] }: Service, variable: string): Promise<boolean> {
  const mounted = volumes.filter((one) => one.startsWith('./')).map((one) => one.split(':')[0]!);
  const texts = await Promise.all(mounted.map(read));
  return texts.some((one) => new RegExp(String.raw`\b${variable}\b`).test(one));
}

describe('docker-compose.yml', () => {
  it('has the structure of the Compose specification', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(composeSchema);
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('has Postgres, Temporal with its UI, the API, the worker and migrations as a job', () => {
    const always = services.filter(([, { profiles }]) => !profiles).map(([name]) => name);
    const temporal = ['temporal-schema', 'temporal', 'temporal-namespace', 'temporal-ui'];
    expect(always).toEqual(['postgres', ...temporal, 'migrate', 'api', 'worker']);
    expect(compose.services['migrate']!.restart).toBe('on-failure');
    expect(ofProfile('monitoring')).toEqual(['prometheus', 'grafana', 'otel-collector']);
    expect(ofProfile('world')).toEqual(['sandbox', 'tour']);
  });

  it('runs the Temporal Server that the rehearsal of a deployment runs', () => {
    const { temporal, 'temporal-schema': schema } = compose.services;
    expect(temporal!.image).toBe(`temporalio/server:${TEMPORAL_VERSION}`);
    expect(schema!.image).toBe(`temporalio/admin-tools:${TEMPORAL_VERSION}`);
  });

  it.each(services)('gives %s variables that its program reads', async (name, service) => {
    const image = service.image!.slice(0, service.image!.lastIndexOf(':'));
    const known = service.build ? ours : (foreign[image] ?? []);
    const unread: string[] = [];
    for (const variable of Object.keys(service.environment ?? {})) {
      const isSetting = name === 'grafana' && variable.startsWith('GF_');
      if (known.includes(variable) || isSetting) continue;
      if (!(await readByMounts(service, variable))) unread.push(variable);
    }
    expect(unread).toEqual([]);
  });

  it.each(services)('gives %s neither rights nor room without end', (_name, service) => {
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
    });
    const { limits } = service.deploy!.resources;
    expect(Object.keys(limits)).toEqual(['cpus', 'memory', 'pids']);
  });

  it('opens nothing but the API to other machines', () => {
    const open = services.flatMap(([, { ports = [] }]) => ports);
    const others = open.filter((one) => !one.startsWith('127.0.0.1:'));
    expect(others).toEqual(['${OUTREACH_API_BIND:-0.0.0.0}:3000:3000']);
  });

  it('opens the ports of links by a file of its own', async () => {
    const links = parse(await read('deploy/compose/links.yml')) as typeof compose;
    const { LINKS_HTTP_PORT: http, LINKS_TLS_PORT: tls } = environmentSchema.shape;
    const at = '${OUTREACH_LINKS_BIND:-0.0.0.0}';
    const ports = [`${at}:80:${http.parse(undefined)}`, `${at}:443:${tls.parse(undefined)}`];
    expect(links).toEqual({ services: { api: { ports } } });
  });

  it('shows operators payloads on this machine alone, where the API serves the codec', () => {
    const { api, 'temporal-ui': ui } = compose.services;
    const codec = String(environmentSchema.shape.CODEC_PORT.parse(undefined));
    expect(api!.ports).toContain(`127.0.0.1:${codec}:${codec}`);
    expect(ui!.environment?.['TEMPORAL_CODEC_ENDPOINT']).toContain(`//127.0.0.1:${codec}/codec/`);
    const [from] = ui!.ports!.map((one) => one.replace(/:\d+$/, ''));
    expect(api!.environment?.['CODEC_CORS_ORIGINS']).toBe(`http://${from}`);
    expect(ui!.environment?.['TEMPORAL_CORS_ORIGINS']).toBe(`http://${from}`);
  });

  it('names no image "latest", whose meaning changes', () => {
    expect(services.filter(([, { image }]) => image!.endsWith(':latest'))).toEqual([]);
  });

  it('keeps data in named volumes, has each that is named, and mounts files that exist', () => {
    const used = services.flatMap(([, { volumes = [] }]) => volumes.map((v) => v.split(':')[0]!));
    const [files, named] = [true, false].map((is) => used.filter((v) => v.startsWith('./') === is));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(compose.services['postgres']!.volumes).toHaveLength(1);
    expect(files!.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
  });

  it('gives a dump that is put back another volume by a setting, which no file of others hides', () => {
    const { name } = compose.volumes['postgres'] as { name: string };
    expect(name).toBe('${OUTREACH_POSTGRES_VOLUME:-${COMPOSE_PROJECT_NAME}_postgres}');
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

  it('asks everything that goes on running how it is, but the collector, whose image has no shell', () => {
    const running = services.filter(([, { restart }]) => restart === 'unless-stopped');
    const silent = running.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
    expect(silent).toEqual(['otel-collector']);
  });

  it('asks a worker whether it works, not whether it can be measured', () => {
    const { test } = compose.services['worker']!.healthcheck!;
    const port = String(environmentSchema.shape.WORKER_METRICS_PORT.parse(undefined));
    expect(test.at(-1)).toContain(`fetch('http://127.0.0.1:${port}/ready')`);
  });

  it('starts files that the build makes, and in the world the sources', () => {
    const commands = services.filter(([, { build }]) => build).map(([, { command }]) => command!);
    const files = commands.flatMap((command) => command.join(' ').match(/\S+\.(js|ts)\b/g) ?? []);
    const sources = files.map((file) => file.replace(/^dist\/(.+)\.js$/, '$1.ts'));
    expect(sources).toHaveLength(5);
    expect(sources.filter((source) => !existsSync(`${root}/${source}`))).toEqual([]);
  });
});
