/** Brings the program of this release to a server; the one of before is put back where a person wants that. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { runSaga } from '../engine/saga.ts';
import { as } from './steps.ts';

export async function upgradeServer(input: WorkflowInput<'upgradeServer'>): Promise<void> {
  const { operationId, serverId, pace } = input;
  const policy = policies(pace);
  const host = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const installation = proxyActivities<Activities>(policy.longRun);
  const undo = proxyActivities<Activities>(policy.compensate);
  const server = { operationId, serverId };
  await runSaga(input, [
    {
      name: 'program_put',
      run: () =>
        host.putServerProgram.executeWithOptions(
          as('program_put', 'Bring it, and keep the one of before'),
          [server],
        ),
      undo: () =>
        undo.restoreServerProgram.executeWithOptions(
          as('program_put.undo', 'Put the one of before back'),
          [server],
        ),
    },
    {
      name: 'program_install',
      run: () =>
        installation.installServerProgram.executeWithOptions(
          as('program_install', 'Set up what it knows'),
          [server],
        ),
    },
    {
      name: 'host_verify',
      run: () =>
        host.verifyServerProgram.executeWithOptions(as('host_verify', 'Is the server well?'), [
          server,
        ]),
    },
  ]);
}
