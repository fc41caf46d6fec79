/** `npm run test:helm`: makes the tools once (minutes), then runs test/helm.test.ts with them. */
import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { hasCommand } from '../../src/dev/system-packages.ts';
import { SKIPPED } from '../compose/requirements.ts';
import { cachedHelmTools, helmTools } from './tools.ts';

new Command('npm run test:helm')
  .description('Checks the chart of deploy/helm with Helm and kubeconform, which it builds once.')
  .addHelpText('after', '\nExit code 77: the tools cannot be built here.')
  .parse();

if (!cachedHelmTools() && !(hasCommand('go') && hasCommand('python3'))) {
  console.log(
    'The chart is not tested here: Helm is built by Go, schemas come by pip; one is missing',
  );
  process.exit(SKIPPED);
}
await helmTools((line) => console.log(line));
const vitest = spawn('npx', ['vitest', 'run', 'test/helm.test.ts'], { stdio: 'inherit' });
vitest.once('exit', (code) => {
  console.log(
    'Not tried: a cluster that takes the objects (there is none), and the schema of KEDA.',
  );
  process.exitCode = code ?? 1;
});
