/** The collection for Postman and its like has every operation, ready to be sent. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { COLLECTION, collectionText } from '../../src/dev/contract/collection.ts';
import { operationsOf, type ContractDocument } from '../../src/dev/contract/schema.ts';

const document = buildDocument() as unknown as ContractDocument;

interface Item {
  name: string;
  request: { method: string; url: { raw: string }; body?: { raw: string } };
}

const { item: folders } = JSON.parse(collectionText(document)) as {
  item: { name: string; item: Item[] }[];
};
const items = folders.flatMap(({ item }) => item);

describe('docs/postman.json', () => {
  it('is what the document makes of it', async () => {
    expect(await readFile(COLLECTION, 'utf8')).toBe(collectionText(document));
  });

  it('has every operation once, in the folder of its tag', () => {
    const asked = items.map(({ request }) => `${request.method} ${request.url.raw}`);
    const all = operationsOf(document).map(
      ({ path, method }) =>
        `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(asked.toSorted()).toEqual(all.toSorted());
    expect(folders.map(({ name }) => name)).toEqual(document.tags.map(({ name }) => name));
  });

  it('has bodies that are JSON with the fields of the operation', () => {
    const create = items.find(({ request }) => request.url.raw.endsWith('/v1/clusters/create'));
    expect(JSON.parse(create!.request.body!.raw)).toEqual({
      domain: '',
      useExistingVps: false,
      serverId: 0,
      vpsId: 0,
    });
  });
});
