/**
 * The peer of P17: a worker of DBOS, whose workflows have one step that does nothing. `fork(path, [database])`, then
 * it says that it is ready; asked `steps`, it tells how many steps were begun and when the last one was.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';

export const QUEUE = 'jobs';
export const WORKFLOW = 'job';

if (process.send !== undefined) await serve(process.argv[2]!);

async function serve(systemDatabaseUrl: string): Promise<void> {
  let steps = 0;
  let lastAt = 0;
  const begin = () => {
    steps += 1;
    lastAt = Date.now();
    return Promise.resolve();
  };
  DBOS.registerWorkflow(() => DBOS.runStep(begin, { name: 'first' }), { name: WORKFLOW });
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl, logLevel: 'error' });
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE);
  process.send!('ready');
  process.on('message', () => process.send!({ steps, lastAt }));
  process.on('disconnect', () => void DBOS.shutdown().finally(() => process.exit()));
}
