/** What the check of the API's document calls breaking, and what not. */
import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../src/dev/contract/breaking-changes.ts';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import {
  resolve,
  type ContractDocument,
  type Operation,
  type Schema,
} from '../../src/dev/contract/schema.ts';

const released = buildDocument() as unknown as ContractDocument;

/** The breaking changes of a document that differs from the released one by this. */
function after(change: (document: ContractDocument) => void): string[] {
  const document = structuredClone(released);
  change(document);
  return breakingChanges(released, document);
}

const create = ({ paths }: ContractDocument): Operation => paths['/v1/campaigns']!['post']!;
const bodyOf = ({ requestBody }: Operation): Schema & Required<Pick<Schema, 'properties'>> =>
  requestBody!.content!['application/json']!.schema as never;
const update = ({ paths }: ContractDocument): Operation => paths['/v1/campaigns/{id}']!['patch']!;
const refusalOf = (document: ContractDocument) =>
  resolve(document, update(document).responses['404']!);
const list = ({ paths }: ContractDocument): Operation => paths['/v1/clusters']!['get']!;

describe('breaking changes', () => {
  it('are none where nothing changed, and none where something came', () => {
    expect(after(() => undefined)).toEqual([]);
    const more = after((document) => {
      document.paths['/v1/new'] = { get: { ...list(document), operationId: 'new.list' } };
      bodyOf(create(document)).properties['extra'] = { type: 'string' };
      document.components.schemas['Cluster']!.properties!['extra'] = { type: 'string' };
      list(document).parameters!.push({ name: 'x', in: 'query', schema: { type: 'string' } });
      document.components.schemas['ErrorCode']!.enum!.push('NEW');
    });
    expect(more).toEqual([]);
  });

  it.each<[string, (document: ContractDocument) => void, string]>([
    [
      'an operation that is gone',
      ({ paths }) => void delete paths['/v1/clusters']!['get'],
      'clusters.list is gone (get /v1/clusters)',
    ],
    [
      'another name',
      (document) => void (list(document).operationId = 'clusters.all'),
      'clusters.list is called clusters.all now',
    ],
    [
      'an event that is gone',
      ({ webhooks }) => void delete webhooks['cluster.active'],
      'the event cluster.active is gone',
    ],
    [
      'a parameter that is gone',
      (document) => void list(document).parameters!.splice(0, 1),
      'clusters.list takes no parameter query page any more',
    ],
    [
      'a code of a refusal that is gone',
      (document) => {
        const { schema } = refusalOf(document).content!['application/json']!;
        const { code } = schema!.allOf![1]!.properties!;
        code!.enum = code!.enum!.filter((each) => each !== 'LEAD_LIST_NOT_FOUND');
      },
      'campaigns.update answers 404 LEAD_LIST_NOT_FOUND no more',
    ],
    [
      'a status of a refusal that is gone',
      (document) => void delete update(document).responses['404'],
      'campaigns.update answers 404 CAMPAIGN_NOT_FOUND no more',
    ],
    [
      'a parameter that is demanded',
      (document) => void (list(document).parameters![0]!.required = true),
      'clusters.list requires the parameter query page',
    ],
    [
      'a field of a request that is demanded',
      (document) => void bodyOf(create(document)).required!.push('timezone'),
      'campaigns.create: request.timezone is required now',
    ],
    [
      'a value that is not taken any more',
      (document) => void bodyOf(create(document)).properties['activeDays']!.items!.enum!.pop(),
      'campaigns.create: request.activeDays[] does not take "sun" any more',
    ],
    [
      'a lower limit',
      (document) => void (bodyOf(create(document)).properties['name']!.maxLength = 9),
      'campaigns.create: request.name is bound by maxLength 9 now',
    ],
    [
      'another kind of value',
      (document) => void (bodyOf(create(document)).properties['name'] = { type: 'integer' }),
      'campaigns.create: request.name may not be string now',
    ],
    [
      'a scope that is demanded',
      (document) => void (list(document).security[0]!['apiKey'] = ['keys:write']),
      'clusters.list requires the scope keys:write',
    ],
  ])('are %s', (_what, change, words) => {
    expect(after(change)).toContain(words);
  });

  it('are found in what answers share: a field that is gone, may be missing, or null', () => {
    const cluster = ({ components }: ContractDocument) => components.schemas['Cluster']!;
    const gone = after((document) => void delete cluster(document).properties!['domain']);
    expect(gone.some((words) => words.endsWith('.domain is gone'))).toBe(true);
    const missing = after((document) => void cluster(document).required!.shift());
    expect(missing.some((words) => words.endsWith('.id may be missing now'))).toBe(true);
    const nullable = after(
      (document) => void (cluster(document).properties!['id']!.type = ['integer', 'null']),
    );
    expect(nullable.some((words) => words.endsWith('.id may be null now'))).toBe(true);
  });
});
