/**
 * The dump and the way back of docs/deployment.md, by its own lines: campaigns are paused, what the dump has is
 * there, and nobody is written to again.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../src/dev/processes/processes.ts';
import { api } from '../../src/dev/tour/client.ts';
import { isAnswer, messagesOf, sendCampaign } from '../../src/dev/tour/campaign.ts';
import { until, type Tour } from '../../src/dev/tour/tour.ts';
import { shellBlocks } from '../support/sources/runbook.ts';
import { EXPECTED, WELL_MS, type Rehearsal } from './stage.ts';
import { orderCluster, readAccount } from './work.ts';

const NEW_VOLUME = 'outreach_postgres_2';
/** Of the guide's examples. */
const ITS_DUMP = 'outreach-2026-11-30.sql.gz';
/** A day of sending lasts 20 s: by then a campaign that sends has sent its follow-ups. */
const WATCH_MS = 40_000;

export async function putBackDump(rehearsal: Rehearsal, tour: Tour): Promise<void> {
  const { project, report, folder } = rehearsal;
  const lines = await linesOfGuide();
  await project.docker('volume', 'rm', '--force', NEW_VOLUME);
  const dumped = await report.step('a dump, while a campaign sends', async () => {
    await sendCampaign.run(tour);
    await project.shell(lines.backup, folder);
    const account = await readAccount(tour);
    const name = (await project.shell('ls outreach-*.sql.gz', folder)).trim();
    if (name !== ITS_DUMP) await project.shell(`mv ${name} ${ITS_DUMP}`, folder);
    return [account, 'it ends as a whole dump does'];
  });
  const sent = await report.step('work that the dump does not have', async () => {
    const { id } = await orderCluster(tour);
    const pace = { withinSeconds: 90, everySeconds: 1 };
    await until('A follow-up', pace, async () =>
      (await messagesOf(tour)).some(isAnswer) ? true : undefined,
    );
    await project.compose(['stop', '--timeout', '35', 'worker']);
    const { length } = await messagesOf(tour);
    return [length, `cluster ${id} and follow-ups, ${length} messages in all`];
  });
  await report.step('the dump is put back into a new volume', async () => {
    await writeFile(join(folder, 'pause.sql'), await statementsOfRunbook());
    for (const block of lines.wayBack) await project.shell(block, folder);
    await project.settled(WELL_MS, EXPECTED);
    await project.docker('volume', 'rm', 'outreach_postgres');
    const now = await readAccount(tour);
    if (JSON.stringify(now) !== JSON.stringify(dumped)) {
      throw new Error(`${JSON.stringify(dumped)} dumped, ${JSON.stringify(now)} put back`);
    }
    return [undefined, `${now.clusters.length} clusters, ${now.balanceCents} cents, as dumped`];
  });
  await report.step('nobody is written to again', async () => {
    await sleep(WATCH_MS);
    const { status, warning } = await api(tour).campaigns.read({ id: tour.campaign!.id });
    if (status !== 'paused') throw new Error(`the campaign is ${status}`);
    const { length } = await messagesOf(tour);
    if (length !== sent) throw new Error(`${sent} messages before, ${length} now`);
    const { seconds } = await orderCluster(tour);
    return [undefined, `"${warning}"; one more cluster active after ${seconds} s`];
  });
}

/** The blocks of "Backup, and the way back". */
async function linesOfGuide(): Promise<{ backup: string; wayBack: string[] }> {
  const guide = await readFile(join(root, 'docs/deployment.md'), 'utf8');
  const [, part = ''] = guide.split('### Backup, and the way back\n');
  const blocks = shellBlocks(part.split('\n### ')[0]!).map(({ command }) => command);
  const backup = blocks.find((block) => block.includes('pg_dumpall'));
  const wayBack = blocks.filter((block) => block !== backup);
  if (!backup || !wayBack.some((block) => block.includes(ITS_DUMP))) {
    throw new Error('docs/deployment.md does not say how to dump and to put back');
  }
  return { backup, wayBack };
}

async function statementsOfRunbook(): Promise<string> {
  const [, restore = ''] = (await readFile(join(root, 'docs/runbook.md'), 'utf8')).split(
    '## Restore\n',
  );
  return /```sql\n([\s\S]*?)```/.exec(restore)![1]!;
}
