/** The last output of a start: where everything is and what to try. */
import { join } from 'node:path';
import type { WorldFile } from './world-file.ts';

/** What a tour has made. */
interface Toured {
  /** The page of its own session. */
  checkoutUrl: string | undefined;
  clusterId: number | undefined;
}

export function nextSteps(world: WorldFile, stateDir: string, toured?: Toured): string {
  const { checkoutUrl, clusterId } = toured ?? {};
  const { traces, testMode } = world;
  const bearer = `-H "Authorization: Bearer ${world.apiKey}"`;
  const json = '-H "Content-Type: application/json"';
  const lines = [
    '',
    `API docs       ${world.docs}`,
    `Temporal UI    ${world.temporalUi ?? `of the server at ${world.temporalAddress}`}`,
    ...(checkoutUrl ? [`Checkout page  ${checkoutUrl}`] : []),
    ...(traces ? [`Traces         ${traces}`] : []),
    ...(traces && clusterId ? [`Its cluster's  ${traces}/of/cluster/${clusterId}`] : []),
    `Sandbox books  ${world.sandbox}/_sandbox/books`,
    `API key        ${world.apiKey}`,
    ...(testMode
      ? [`Of test mode   ${testMode.apiKey}, books: ${testMode.sandbox}/_sandbox/books`]
      : []),
    `Everything     ${join(stateDir, 'world.json')}`,
    '',
    'Try next:',
    `  curl -s ${bearer} ${world.api}/wallet`,
    `  curl -s ${bearer} ${json} -d '{"amountCents":5000}' ${world.api}/wallet/fund`,
    `  curl -s ${bearer} ${json} -d '{"domain":"my-first-cluster.com"}' ${world.api}/v1/clusters/create`,
    '',
    'Up until Ctrl-C.',
  ];
  return lines.join('\n');
}
