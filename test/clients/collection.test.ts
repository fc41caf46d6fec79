/** The collection for Postman and its like has every operation, ready to be sent. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { COLLECTION, collectionText } from '../../src/dev/contract/collection.ts';
import {
  firstExample,
  operationsOf,
  type ContractDocument,
} from '../../src/dev/contract/schema.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { collectionFormat } from '../support/api/collection-format.ts';

const document = buildDocument() as unknown as ContractDocument;
const written = await readFile(COLLECTION, 'utf8');

interface Pair {
  key: string;
  value: string;
}

interface Item {
  name: string;
  request: {
    method: string;
    header: Pair[];
    url: { raw: string; variable: Pair[] };
    body?: { raw: string };
  };
}

interface Collection {
  variable: Pair[];
  item: { name: string; item: Item[] }[];
}

const collection = JSON.parse(written) as Collection;
const items = collection.item.flatMap(({ item }) => item);
const itemOf = (method: string, path: string): Item =>
  items.find(
    ({ request }) => request.method === method && request.url.raw === `{{baseUrl}}${path}`,
  )!;

describe('docs/postman.json', () => {
  it('is what the document makes of it', () => {
    expect(written).toBe(collectionText(document));
  });

  it('keeps to the format 2.1, as far as it uses it', () => {
    const check = new Ajv({ allErrors: true }).compile(collectionFormat);
    check(collection);
    expect(check.errors).toBeNull();
    const odd = structuredClone(collection);
    Object.assign(odd.item[0]!.item[0]!.request, { body: { mode: 'json', raw: {} } });
    expect(check(odd)).toBe(false);
  });

  it('has every operation once, in the folder of its tag', () => {
    const asked = items.map(({ request }) => `${request.method} ${request.url.raw}`);
    const all = operationsOf(document).map(
      ({ path, method }) =>
        `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(asked.toSorted()).toEqual(all.toSorted());
    expect(collection.item.map(({ name }) => name)).toEqual(document.tags.map(({ name }) => name));
  });

  it('has the recorded examples as bodies', () => {
    const examples = operationsOf(document).flatMap(
      ({ operation: { requestBody, operationId } }) => {
        const body = requestBody?.content?.['application/json'];
        return body ? [[operationId, firstExample(body)]] : [];
      },
    );
    const bodies = operationsOf(document).flatMap(({ path, method, operation }) => {
      const { body } = itemOf(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1')).request;
      return body ? [[operation.operationId, JSON.parse(body.raw)]] : [];
    });
    expect(bodies).toEqual(examples);
    expect(itemOf('POST', '/v1/clusters/create').request.body!.raw).toMatch(/"domain": "\w+\.com"/);
  });

  it('has one variable for the id of a thing, wherever it is in a path, with the value of an example', () => {
    const values = new Map(collection.variable.map(({ key, value }) => [key, value]));
    const used = items.flatMap(({ request }) => request.url.variable.map(({ value }) => value));
    expect([...new Set(used)].toSorted()).toEqual(
      [...values.keys()]
        .filter((key) => !['baseUrl', 'apiKey'].includes(key))
        .map((key) => `{{${key}}}`)
        .toSorted(),
    );
    const idIn = (method: string, path: string) =>
      itemOf(method, path).request.url.variable[0]!.value;
    expect(idIn('GET', '/v1/clusters/:id')).toBe('{{clusterId}}');
    expect(idIn('GET', '/v1/mailboxes/cluster/:clusterId')).toBe('{{clusterId}}');
    expect(idIn('POST', '/v1/warmup/mailboxes/:id/start')).toBe('{{mailboxId}}');
    expect(idIn('POST', '/v1/inbox/:id/reply')).toBe('{{messageId}}');
    expect(values.get('eventId')).toMatch(/^evt_\d+$/);
    expect(values.get('clusterId')).toMatch(/^\d+$/);
  });
});

describe('the requests of the collection', () => {
  const { api } = describeApi();

  /** As Postman sends it: variables filled in, what is disabled left out. */
  async function send(item: Item, set: Record<string, string>) {
    const { method, header, url, body } = item.request;
    const own = new Map(collection.variable.map(({ key, value }) => [key, value]));
    const values = new Map([...own, ...Object.entries({ ...set, $guid: randomUUID() })]);
    const filled = (text: string) =>
      text.replaceAll(/\{\{([\w$]+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
    const path = url.variable.reduce(
      (raw, { key, value }) => raw.replace(`/:${key}`, `/${value}`),
      url.raw,
    );
    const headers = header.map(({ key, value }): [string, string] => [key, filled(value)]);
    const answer = await fetch(filled(path), {
      method,
      headers: [...headers, ['authorization', `Bearer ${values.get('apiKey')}`]],
      ...(body && { body: filled(body.raw) }),
    });
    return { status: answer.status, data: ((await answer.json()) as { data: never }).data };
  }

  it.each([
    ['/v1/lead-lists', 'leadListId'],
    ['/v1/custom-fields', 'customFieldId'],
  ])('list, make and read %s, with the recorded body', async (path, variable) => {
    const set = { baseUrl: api.url, apiKey: await api.jwt('collector') };
    expect(await send(itemOf('GET', path), set)).toEqual({ status: 200, data: [] });
    const made = await send(itemOf('POST', path), set);
    expect(made.status).toBe(201);
    const { id } = made.data as { id: number };
    const read = await send(itemOf('GET', `${path}/:id`), { ...set, [variable]: String(id) });
    expect(read).toMatchObject({ status: 200, data: { id } });
    expect((await send(itemOf('GET', path), set)).data).toHaveLength(1);
  });

  it('change the account by the recorded body, and are refused without a key', async () => {
    const set = { baseUrl: api.url, apiKey: await api.jwt('collector') };
    const changed = await send(itemOf('PATCH', '/v1/account'), set);
    expect(changed).toMatchObject({ status: 200, data: { senderName: 'Ann King' } });
    expect((await send(itemOf('GET', '/v1/account'), { baseUrl: api.url })).status).toBe(401);
  });
});
