/** deploy/helm: what the chart says of the programs; and by Helm and kubeconform, where they were built. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../src/dev/processes/processes.ts';
import { WORKER_ROLES } from '../src/domain/operations/queues.ts';
import { environmentSchema } from '../src/settings/environment.ts';
import type { KubernetesObject, Values } from './helm/chart.ts';
import { CHART, conform, LEAST, lint, objectsOf, render, VARIANTS } from './helm/chart.ts';
import { CLOSED_VALUES, OPEN_SETTINGS, SECRET_SETTINGS } from './helm/settings.ts';
import { cachedHelmTools, KUBERNETES } from './helm/tools.ts';

const read = (name: string) => readFile(join(CHART, name), 'utf8');
const values = parse(await read('values.yaml')) as Values & {
  workers: Record<string, { queue?: string }>;
  keda: { prometheus: object };
};
const chart = parse(await read('Chart.yaml')) as Record<string, string>;
const schema = JSON.parse(await read('values.schema.json')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);
const accepts = (given: Values) => validate({ ...values, ...LEAST, ...given });

describe('the chart', () => {
  it('has the version of the program', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect([chart['version'], chart['appVersion']]).toEqual([version, version]);
  });

  it('takes settings that the programs know, and no secret among them', async () => {
    const example = await readFile(join(root, '.env.example'), 'utf8');
    const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name!);
    expect([...SECRET_SETTINGS, ...OPEN_SETTINGS].toSorted()).toEqual(
      [...new Set(names)].toSorted(),
    );
    const given = LEAST['settings'] as object;
    const takes = (name: string, value = 'x') => accepts({ settings: { ...given, [name]: value } });
    expect(SECRET_SETTINGS.filter((name) => takes(name))).toEqual([]);
    expect(OPEN_SETTINGS.filter((name) => !takes(name))).toEqual([]);
    expect(accepts({ settings: {} })).toBe(false);
    expect(Object.keys(given).filter((name) => !(name in environmentSchema.shape))).toEqual([]);
  });

  it('takes no value that has a login or a key in it', () => {
    const given = LEAST['settings'] as object;
    const takes = (name: string, value: string) =>
      accepts({ settings: { ...given, [name]: value } });
    const closed = Object.entries(CLOSED_VALUES);
    expect(closed.filter(([name]) => !OPEN_SETTINGS.includes(name))).toEqual([]);
    expect(closed.filter(([name, value]) => takes(name, value))).toEqual([]);
    expect(takes('OUTBOUND_PROXY', 'socks5://proxy.example.com:1080')).toBe(true);
    expect(takes('DNSBL_ZONES', 'zen.spamhaus.org,bl.spamcop.net')).toBe(true);
    expect(takes('CRAWLER_CONTACT_URL', 'https://example.com/@us?to=a@example.com')).toBe(true);
  });

  it('knows the settings that the SDK of traces reads by itself', () => {
    const given = LEAST['settings'] as object;
    const name = 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';
    expect(accepts({ settings: { ...given, [name]: 'authorization=x' } })).toBe(false);
  });

  it('wants an image and the names of the secrets', () => {
    expect(validate(values)).toBe(false);
    expect(accepts({})).toBe(true);
  });

  it('takes a way for links that it knows, and no other', () => {
    const { api } = values as { api?: object };
    const takes = (links: object) => accepts({ api: { ...api, links } });
    expect(takes({ enabled: true, type: 'ClusterIP' })).toBe(true);
    expect(takes({ enabled: 'yes' })).toBe(false);
    expect(takes({ enabled: true, type: 'NodePort' })).toBe(false);
    expect(takes({ enabled: true, loadBalancerIP: '192.0.2.1' })).toBe(false);
  });

  it('has a deployment for each role of a worker, scaled by the queue of the role', () => {
    const own = Object.entries(values.workers).map(([role, { queue }]) => [role, queue]);
    // Vendors' limits are kept over all workers, and one worker delivers events: these are not scaled.
    const fixed = { vendors: undefined, webhooks: undefined };
    expect(Object.fromEntries(own)).toEqual({ ...WORKER_ROLES, ...fixed });
    const { webhooks, ...others } = values.workers;
    expect(accepts({ workers: { ...others, webhooks: { ...webhooks, maxReplicas: 4 } } })).toBe(
      false,
    );
    expect(accepts({ workers: { ...others, webhooks: { replicas: 2 } } })).toBe(true);
  });

  it('takes an address of Prometheus as a whole, and no threshold that a session at work passes', () => {
    const withPrometheus = (prometheus: object) =>
      accepts({
        keda: { ...values.keda, prometheus: { ...values.keda.prometheus, ...prometheus } },
      });
    expect(withPrometheus({ address: 'http://prometheus.monitoring:9090' })).toBe(true);
    expect(withPrometheus({ address: 'prometheus' })).toBe(false);
    expect(withPrometheus({ lateSeconds: 5 })).toBe(false);
  });
});

const tools = cachedHelmTools();
const withTools = tools ? describe : describe.skip;

withTools('the chart by Helm (npm run test:helm builds it)', () => {
  const { helm, kubeconform, schemas } = tools ?? { helm: '', kubeconform: '', schemas: '' };
  const made = { helm, kubeconform, schemas };
  const objects = async (given: Values) => objectsOf(await render(made, { ...LEAST, ...given }));

  it.each(Object.entries(VARIANTS))('is sound with %s', async (_name, given) => {
    await lint(made, { ...LEAST, ...given });
    const text = await render(made, { ...LEAST, ...given });
    const custom = objectsOf(text).filter(({ kind }) => kind === 'ScaledObject').length;
    for (const version of KUBERNETES) {
      const summary = await conform(made, text, version);
      expect(summary).toEqual({
        valid: objectsOf(text).length - custom,
        invalid: 0,
        errors: 0,
        skipped: custom,
      });
    }
  });

  it('refuses values without an image', async () => {
    await expect(lint(made, {})).rejects.toThrow(/repository/);
  });

  it('has a deployment for the API, the codec and each role, and a job before all of them', async () => {
    const all = await objects({});
    const names = (kind: string) =>
      all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    const roles = Object.keys(values.workers).map((role) => `outreach-worker-${role}`);
    expect(names('Deployment').toSorted()).toEqual(
      ['outreach-api', 'outreach-codec', ...roles].toSorted(),
    );
    const job = all.find(({ kind }) => kind === 'Job')!;
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(names('PodDisruptionBudget').toSorted()).toEqual(['outreach-api', ...roles].toSorted());
  });

  it('scales mail by how late its shards are, other roles by their queues, by processors without KEDA', async () => {
    const triggersOf = async (given: Values) =>
      Object.fromEntries(
        (await objects(given))
          .filter(({ kind }) => kind === 'ScaledObject')
          .map((one) => [nameOf(one), one.spec.triggers]),
      );
    const byCpu = async (given: Values) =>
      (await objects(given))
        .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
        .map(nameOf)
        .filter((name) => name.includes('worker'))
        .toSorted();
    const address = 'http://prometheus.monitoring:9090';
    const keda = { enabled: true, prometheus: { address, authentication: 'prometheus' } };
    const triggers = await triggersOf({ keda });
    expect(Object.keys(triggers).toSorted()).toEqual([
      'outreach-worker-activities',
      'outreach-worker-mail',
      'outreach-worker-workflows',
    ]);
    const queue = (taskQueue: string) =>
      expect.objectContaining({
        type: 'temporal',
        metadata: expect.objectContaining({ taskQueue }),
      });
    expect(triggers['outreach-worker-activities']).toEqual([queue('outreach-activities')]);
    expect(triggers['outreach-worker-mail']).toEqual([
      {
        type: 'prometheus',
        metricType: 'Value',
        metadata: {
          serverAddress: address,
          query: 'max(outreach_shard_jobs_oldest_seconds)',
          threshold: '60',
          ignoreNullValues: 'false',
        },
        authenticationRef: { name: 'prometheus' },
      },
      queue('outreach-mail'),
    ]);
    expect(await byCpu({ keda })).toEqual([]);
    const withoutAddress = { keda: { enabled: true } };
    expect(Object.keys(await triggersOf(withoutAddress))).not.toContain('outreach-worker-mail');
    expect(await byCpu(withoutAddress)).toEqual(['outreach-worker-mail']);
    expect(await byCpu({})).toEqual([
      'outreach-worker-activities',
      'outreach-worker-mail',
      'outreach-worker-workflows',
    ]);
  });

  it('gives a role a pool of its own size', async () => {
    const all = await objects({});
    const sizes = all
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap((one) =>
        one.spec.template.spec.containers[0].env
          .filter(({ name }: { name: string }) => name === 'DATABASE_POOL_SIZE')
          .map(({ value }: { value: string }) => [nameOf(one), value]),
      );
    expect(sizes).toEqual([['outreach-worker-mail', '20']]);
  });

  it('lets no container be root, write to its image or gain a right', async () => {
    for (const pod of podsOf(await objects({}))) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      });
      expect(pod.containers[0].resources.limits.memory).toBeDefined();
    }
  });

  it('hands the address of the owner to the migrations, and the token to the codec alone', async () => {
    const all = await objects({});
    const holders = (secret: string) =>
      all.filter((one) => JSON.stringify(one.spec ?? {}).includes(`"${secret}"`));
    expect(holders('outreach-owner').map(({ kind }) => kind)).toEqual(['Job']);
    expect(holders('outreach-codec').map(nameOf)).toContain('outreach-codec');
    expect(holders('CODEC_TOKEN').map(nameOf).toSorted()).toEqual([
      'outreach-api',
      'outreach-codec',
    ]);
    const api = all.find((one) => one.kind === 'Deployment' && nameOf(one) === 'outreach-api')!;
    const [container] = api.spec.template.spec.containers;
    expect(container.env).toContainEqual({ name: 'CODEC_TOKEN', value: '' });
    expect(all.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('shows a certificate to Temporal, whose paths the programs know', async () => {
    const all = await objects(VARIANTS['Temporal by mutual TLS']!);
    const { data = {} } = all.find(({ kind }) => kind === 'ConfigMap')!;
    const paths = Object.entries(data).filter(([, value]) => value.startsWith('/temporal/'));
    expect(
      paths.map(([name]) => name).filter((name) => !(name in environmentSchema.shape)),
    ).toEqual([]);
    expect(paths.map(([, path]) => path.slice('/temporal/'.length))).toEqual(
      expect.arrayContaining(['tls.crt', 'tls.key', 'ca.crt']),
    );
    for (const pod of podsOf(all)) {
      expect(pod.volumes).toContainEqual({
        name: 'temporal',
        secret: { secretName: 'outreach-temporal', defaultMode: 0o440 },
      });
      expect(pod.securityContext.fsGroup).toBe(1000);
      const { volumeMounts } = pod.containers[0];
      expect(volumeMounts).toContainEqual({
        name: 'temporal',
        mountPath: '/temporal',
        readOnly: true,
      });
    }
    const own = await objects({
      ...VARIANTS['Temporal by mutual TLS'],
      settings: {
        ...(LEAST['settings'] as object),
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/trust/ca.pem',
      },
    });
    expect(own.find(({ kind }) => kind === 'ConfigMap')!.data).toMatchObject({
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/trust/ca.pem',
    });
  });

  it('gives workers the folder of the backups of hosts', async () => {
    const named = await objects({ hostBackups: 'claim' });
    for (const { spec } of named.filter(({ kind }) => kind === 'Deployment')) {
      const { containers, volumes } = spec.template.spec;
      expect(volumes).toContainEqual({
        name: 'host-backups',
        persistentVolumeClaim: { claimName: 'claim' },
      });
      expect(containers[0]!.volumeMounts).toContainEqual({
        name: 'host-backups',
        mountPath: '/host-backups',
      });
    }
  });

  it('lets nobody in but who is named', async () => {
    const policies = (await objects({})).filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.map(nameOf)).toEqual(['outreach-nobody', 'outreach-metrics']);
    expect(policies[0]!.spec.ingress).toBeUndefined();
  });

  it('opens the ports of links to everybody by a Service of their own, where they are enabled', async () => {
    const all = await objects(VARIANTS['links on other domains']!);
    const one = (kind: string, name: string) =>
      all.find((object) => object.kind === kind && nameOf(object) === name)!;
    const { metadata, spec } = one('Service', 'outreach-api-links');
    expect(metadata.annotations).toEqual({ 'example.com/pool': 'links' });
    expect(spec).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    const [container] = one('Deployment', 'outreach-api').spec.template.spec.containers;
    expect(spec.selector).toEqual(one('Deployment', 'outreach-api').spec.selector.matchLabels);
    const numberOf = (name: string) =>
      container.ports.find((port: { name: string }) => port.name === name)?.containerPort as number;
    const ways = spec.ports.map((way: { port: number; targetPort: string }) => [
      way.port,
      numberOf(way.targetPort),
    ]);
    expect(ways).toEqual([
      [80, 3080],
      [443, 3443],
    ]);
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'LINKS_HTTP_PORT', value: '3080' },
        { name: 'LINKS_TLS_PORT', value: '3443' },
      ]),
    );
    const { ingress, podSelector } = one('NetworkPolicy', 'outreach-links').spec;
    expect(podSelector.matchLabels).toEqual(spec.selector);
    expect(ingress).toEqual([
      {
        ports: [
          { protocol: 'TCP', port: 3080 },
          { protocol: 'TCP', port: 3443 },
        ],
      },
    ]);
  });

  it('refuses to open them without the name that leads there', async () => {
    await expect(objects({ api: { links: { enabled: true } } })).rejects.toThrow(/LINKS_HOST/);
  });
});

const nameOf = ({ metadata }: KubernetesObject) => metadata.name;

const podsOf = (all: KubernetesObject[]) =>
  all
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ spec }) => spec.template.spec);
