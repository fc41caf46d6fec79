/** What operators look at by a tunnel: Temporal's UI, its server's version, the codec, metrics. */
import type { Rehearsal } from './stage.ts';

const UI = 'http://127.0.0.1:8233';
const CODEC = 'http://127.0.0.1:9466/codec';

export async function checkOperatorPages({ project, deployment }: Rehearsal): Promise<string> {
  const page = await fetch(UI);
  if (!page.ok || !(await page.text()).includes('<html')) throw new Error('no page of the UI');
  const info = await json<{ serverVersion: string }>(`${UI}/api/v1/cluster-info`);
  const settings = await json<{ Codec: { Endpoint: string } }>(`${UI}/api/v1/settings`);
  if (settings.Codec.Endpoint !== `${CODEC}/${deployment.codecToken}`) {
    throw new Error('the UI knows no codec');
  }
  // An empty list is what the codec takes without a workflow to show.
  const codec = await fetch(`${settings.Codec.Endpoint}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default' },
    body: '{"payloads":[]}',
  });
  if (!codec.ok) throw new Error(`the codec answered ${codec.status}`);
  const code =
    "for (const [host, port] of [['api', 9464], ['worker', 9465], ['temporal', 9090]]) " +
    'console.log(host, /^outreach_|^temporal_|^service_/m.test(await (await fetch(`http://${host}:${port}/metrics`)).text()))';
  const node = ['node', '--input-type=module', '-e', code];
  const metrics = await project.compose(['exec', '-T', 'api', ...node]);
  if (metrics.includes('false')) throw new Error(`no metrics: ${metrics}`);
  return `UI over Temporal Server ${info.serverVersion}, the codec answers it, metrics of API, worker and Temporal`;
}

async function json<Answer>(url: string): Promise<Answer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return (await answer.json()) as Answer;
}
