/** The chart by Helm itself: lint, rendering with several sets of values, Kubernetes' schemas. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { root } from '../../src/dev/processes/processes.ts';
import type { HelmTools } from './tools.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;

export const CHART = join(root, 'deploy/helm/outreach');
export type Values = Record<string, unknown>;

export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: any;
  data?: Record<string, string>;
}

const NAMES = { product: 'outreach', owner: 'outreach-owner', codec: 'outreach-codec' };

const LEAST_SETTINGS = {
  PUBLIC_URL: 'https://outreach.example.com',
  TEMPORAL_ADDRESS: 'temporal-frontend.temporal:7233',
};

/** The least that has to be given. */
export const LEAST: Values = {
  image: { repository: 'registry.example.com/outreach' },
  secrets: NAMES,
  settings: LEAST_SETTINGS,
};

/** Sets of values by what is tried with them; laid over the least. */
export const VARIANTS: Record<string, Values> = {
  'the least that has to be given': {},
  'KEDA, an ingress, an authority and peers': {
    keda: {
      enabled: true,
      authentication: 'temporal-cloud',
      prometheus: { address: 'http://prometheus.monitoring:9090' },
    },
    api: {
      ingress: { enabled: true, className: 'nginx', host: 'a.example.com', tlsSecret: 'tls' },
    },
    trust: 'own-authority',
    hostBackups: 'host-backups',
    image: {
      repository: 'registry.example.com/outreach',
      digest: `sha256:${'0'.repeat(64)}`,
      pullSecrets: ['registry'],
    },
    networkPolicy: {
      apiFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      codecFrom: [{ podSelector: { matchLabels: { app: 'temporal-ui' } } }],
    },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'mail', operator: 'Exists', effect: 'NoSchedule' }],
  },
  'Temporal by mutual TLS': { secrets: { ...NAMES, temporal: 'outreach-temporal' } },
  'links on other domains': {
    settings: { ...LEAST_SETTINGS, LINKS_HOST: 'links.example.com' },
    api: { links: { enabled: true, annotations: { 'example.com/pool': 'links' } } },
  },
  'neither scaling, codec nor policies': {
    api: { autoscaling: { enabled: false } },
    workerAutoscaling: { enabled: false },
    codec: { enabled: false },
    networkPolicy: { enabled: false },
  },
};

/** Runs `helm lint --strict`; rejects with what it says. */
export async function lint({ helm }: HelmTools, values: Values): Promise<void> {
  await withValues(values, async (file) => {
    try {
      await run(helm, ['lint', '--strict', CHART, '--values', file]);
    } catch (error) {
      throw new Error((error as { stdout?: string }).stdout, { cause: error });
    }
  });
}

/** What `helm template` makes. */
export async function render({ helm }: HelmTools, values: Values): Promise<string> {
  const { stdout } = await withValues(values, (file) =>
    run(helm, ['template', 'outreach', CHART, '--values', file, '--kube-version', '1.33.0'], {
      maxBuffer: MAX_OUTPUT_BYTES,
    }),
  );
  return stdout;
}

export const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);

/** Compares the text with Kubernetes' schemas, strictly; answers kubeconform's summary. KEDA's kind has none. */
export async function conform(
  { kubeconform, schemas }: HelmTools,
  text: string,
  version: string,
): Promise<{ valid: number; invalid: number; errors: number; skipped: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'outreach-chart-'));
  try {
    const file = join(folder, 'chart.yaml');
    await writeFile(file, text);
    const at = `${schemas}/v${version}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    const wanted = ['-strict', '-summary', '-output', 'json', '-skip', 'ScaledObject'];
    const { stdout } = await run(kubeconform, [...wanted, '-schema-location', at, file]);
    return (JSON.parse(stdout) as { summary: Awaited<ReturnType<typeof conform>> }).summary;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withValues<Answer>(
  values: Values,
  work: (file: string) => Promise<Answer>,
): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'outreach-values-'));
  try {
    const file = join(folder, 'values.yaml');
    await writeFile(file, stringify(values));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
