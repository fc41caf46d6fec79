/** The last step of `npm run build`: bundles the workflows and copies what the compiler leaves out. */
import { cp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { GUIDES, guideFile } from '../http/guides/guides.ts';
import { failureConverterPath } from '../temporal/payload-codec.ts';

/** This file runs as dist/src/dev/finish-build.js. */
const dist = new URL('../../', import.meta.url);
const root = new URL('../', dist);

/** Files and folders that are read at run time beside the modules that read them. */
const ASSETS = [
  'src/providers/mail-hosts/outreach-mail',
  'src/temporal/failure-converter.cjs',
  'src/http/openapi-examples.json',
  'src/http/reference/typescript-samples.json',
  ...Object.keys(GUIDES).map(guideFile),
];

for (const asset of ASSETS) {
  // What an earlier build left there must not be read along.
  await rm(new URL(asset, dist), { recursive: true, force: true });
  await cp(new URL(asset, root), new URL(asset, dist), { recursive: true });
}

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('workflows', dist)),
  workflowInterceptorModules: ['built-on', 'trace'].map((name) =>
    fileURLToPath(new URL(`workflows/engine/${name}.js`, dist)),
  ),
  failureConverterPath,
});
await writeFile(new URL('workflow-bundle.js', dist), code);
console.log(`workflow-bundle.js: ${(code.length / 1_000_000).toFixed(2)} MB`);
