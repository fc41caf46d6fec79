/**
 * Variables of the collection for ids in paths: `clusterId` wherever a cluster is meant, so that it is set once. Their
 * values are those of the recorded answers.
 */
import { operationsOf, successOf, type ContractDocument } from './schema.ts';

/** What an id in a path is of, where the segment before it does not say it. */
const NOUNS: Readonly<Record<string, string>> = {
  '/api/keys': 'apiKey',
  '/v1/email-validation/bulk': 'emailValidation',
  '/v1/inbox': 'message',
  '/v1/leads/import': 'leadImport',
  '/v1/leads/process': 'leadProcess',
  '/v1/mailboxes/import': 'mailboxImport',
  '/v1/maps-scraper/runs': 'mapsRun',
  '/v1/placement/seeds': 'placementSeed',
  '/v1/placement/tests': 'placementTest',
};

/** The variable of a parameter in a path: `id` of `/v1/clusters/{id}/health` is a `clusterId`. */
export function variableOf(path: string, parameter: string): string {
  if (parameter !== 'id') return parameter;
  const before = path.slice(0, path.indexOf('/{id}'));
  return `${NOUNS[before] ?? singular(before.slice(before.lastIndexOf('/') + 1))}Id`;
}

const singular = (segment: string): string =>
  segment
    .replace(/ies$/, 'y')
    .replace(/xes$/, 'x')
    .replace(/s$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** All of them by name, with the id of the thing that its recorded answer shows; else a number to be replaced. */
export function pathVariables(document: ContractDocument): Map<string, string> {
  const variables = new Map<string, string>();
  for (const { path, method, operation } of operationsOf(document)) {
    for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) {
      const name = variableOf(path, parameter!);
      const isRead = method === 'get' && path.endsWith(`/{${parameter}}`);
      const { example } = successOf(operation)[1].content?.['application/json'] ?? {};
      const { data } = (example ?? {}) as { data?: { id?: string | number } };
      if (isRead && data?.id !== undefined) variables.set(name, String(data.id));
      else if (!variables.has(name)) variables.set(name, name === 'token' ? '' : '1');
    }
  }
  return new Map([...variables].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
