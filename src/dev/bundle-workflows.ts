/** Last step of `npm run build`: what the compiler leaves out, so that dist/ runs by itself. */
import { copyFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Read at run time beside the module that names them. */
const assets = ['providers/mail-hosts/outreach-mail.sh'];

// This file runs as dist/src/dev/bundle-workflows.js.
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

for (const asset of assets) {
  await copyFile(path(`../../../src/${asset}`), path(`../../src/${asset}`));
}
// A worker that loads this file starts a second sooner and needs no webpack.
const { code } = await bundleWorkflowCode({ workflowsPath: path('../../workflows/index.js') });
await writeFile(path('../../workflow-bundle.js'), code);
