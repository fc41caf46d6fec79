/** The baseline of P10: the worker of Temporal's hello-world sample, one queue, no options. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './hello-world-activities.ts';

const [address = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  namespace: 'default',
  taskQueue: 'hello-world',
  workflowsPath: fileURLToPath(new URL('hello-world-workflows.ts', import.meta.url)),
  activities,
});
process.on('disconnect', () => {
  if (worker.getState() === 'RUNNING') worker.shutdown();
});
process.send?.('ready');
await worker.run();
await connection.close();
