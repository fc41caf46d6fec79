/** Gives a server another key to log in with; until it is proven and used, everything can be taken back. */
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { inText } from '../engine/details.ts';
import { policies } from '../engine/policies.ts';
import { runSaga } from '../engine/saga.ts';
import { as } from './steps.ts';

/** Longer than an attempt of any activity over SSH (`longRun`): none that began with the old key is left. */
const OVERLAP_MS = 16 * 60_000;

export async function rotateServerKey(input: WorkflowInput<'rotateServerKey'>): Promise<void> {
  const { operationId, serverId, pace } = input;
  const policy = policies(pace);
  const host = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const db = proxyActivities<Activities>(policy.dbWrite);
  const undo = proxyActivities<Activities>(policy.compensate);
  const server = { operationId, serverId };
  await runSaga(input, [
    {
      name: 'server_key_allow',
      async run() {
        await host.removeOldServerKey.executeWithOptions(
          as('server_key_allow.leftover', 'What an earlier change may have left'),
          [server],
        );
        await host.allowServerKey.executeWithOptions(
          as('server_key_allow.prove', 'Put the new key on it, and log in with it'),
          [server],
        );
      },
      undo: () =>
        undo.withdrawServerKey.executeWithOptions(
          as('server_key_allow.undo', 'Take off the key that is not used'),
          [server],
        ),
    },
    {
      name: 'server_key_switch',
      pivot: true,
      run: () =>
        db.switchServerKey.executeWithOptions(as('server_key_switch', 'Use the new key'), [server]),
    },
    {
      name: 'server_key_remove',
      async run(_tell, say) {
        // The quick pace of a development world counts twice: nothing takes a quarter of an hour there.
        const ms = Math.max(100, Math.round(OVERLAP_MS * pace.retryPace ** 2));
        say(`Waits until ${inText(ms)}: work that began with the old key still needs it.`);
        await sleep(ms, { summary: 'work that began with the old key ends' });
        say('');
        await host.removeOldServerKey.executeWithOptions(
          as('server_key_remove.old', 'Take the old key off it'),
          [server],
        );
      },
    },
  ]);
}
