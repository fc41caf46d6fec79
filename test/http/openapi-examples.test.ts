/** Every operation of the API's document has an example from a real run: src/http/openapi-examples.ts. */
import { expect, it } from 'vitest';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { requestFields, showsField } from '../../src/dev/contract/request-fields.ts';
import { operationsOf, type ContractDocument } from '../../src/dev/contract/schema.ts';
import { exampleOf } from '../../src/http/openapi-examples.ts';
import { permissionsOf } from '../../src/http/scopes.ts';

const document = buildDocument() as unknown as ContractDocument;
const operations = operationsOf(document).map(({ operation }) => operation);

const JSON_TYPE = 'application/json';
const takesBody = operations.filter(({ requestBody }) => requestBody?.content?.[JSON_TYPE]);

/** Operations without one, and why none can be shown. */
const WITHOUT_ANSWER: Readonly<Record<string, string>> = {
  'documentation.read': 'it answers the document itself, which would have to hold itself',
  'documentation.readForModels': 'it is made of the document, and is read where it is served',
  'inbox.downloadAttachment': 'bytes as somebody sent them',
  'mailboxes.takeConsent': 'a page for people',
  'recipientLinks.readUnsubscribePage': 'a page for people',
  'recipientLinks.resubscribe': 'a page for people',
  'recipientLinks.track': 'a picture of one pixel',
  'recipientLinks.unsubscribe': 'a page for people',
};

/** Fields of requests that no example shows, and why. */
const WITHOUT_FIELD: Readonly<Record<string, string>> = {};

it('shows a request of each operation that takes a body', () => {
  const missing = takesBody.filter(({ operationId }) => !exampleOf(operationId)?.request);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

it('shows an answer of each operation, files included', () => {
  const missing = operations.filter(({ operationId }) => !exampleOf(operationId)?.answer);
  const names = missing.map(({ operationId }) => operationId).toSorted();
  expect(names).toEqual(Object.keys(WITHOUT_ANSWER).toSorted());
});

it('shows each field of each request, in one of its examples', () => {
  const missing = takesBody.flatMap(({ operationId, requestBody }) => {
    const { request, more = [] } = exampleOf(operationId) ?? {};
    const shown = [request, ...more.map((each) => each.request)];
    return requestFields(document, requestBody!.content![JSON_TYPE]!.schema!)
      .filter((field) => !showsField(shown, field))
      .map((field) => `${operationId} ${field}`);
  });
  expect(missing).toEqual(Object.keys(WITHOUT_FIELD));
});

/** Every object in an example, however deep. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [value as Record<string, unknown>];
  return [...own, ...Object.values(value).flatMap(objectsIn)];
}

it('says of API keys what the API answers: all that a key with these scopes may do', () => {
  const keys = operations.flatMap(({ operationId }) =>
    objectsIn(exampleOf(operationId)?.answer)
      .filter(({ permissions }) => permissions !== undefined)
      .map(({ scopes, permissions }) => ({ operationId, scopes: scopes as string[], permissions })),
  );
  const untrue = keys.filter(
    ({ scopes, permissions }) =>
      JSON.stringify(permissions) !== JSON.stringify(permissionsOf(scopes)),
  );
  expect(untrue.map(({ operationId }) => operationId)).toEqual([]);
  expect(new Set(keys.map(({ operationId }) => operationId)).size).toBeGreaterThan(5);
});

it('shows as many items of a page as the page says', () => {
  const pages = operations.flatMap(({ operationId }) => {
    const { data, meta } = (exampleOf(operationId)?.answer ?? {}) as Page;
    const { page, limit, total } = meta?.pagination ?? {};
    if (!Array.isArray(data) || page === undefined) return [];
    const said = Math.max(0, Math.min(limit!, total! - (page - 1) * limit!));
    return [{ operationId, shown: data.length, said }];
  });
  expect(pages.filter(({ shown, said }) => shown !== said)).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});

interface Page {
  data?: unknown;
  meta?: { pagination?: { page?: number; limit?: number; total?: number } };
}

it('shows no secret and no address of the machine that it was made on', () => {
  const shown = JSON.stringify(operations.map(({ operationId }) => exampleOf(operationId)));
  expect(shown).not.toMatch(/svc_(?!0{64})[0-9a-f]{8}/);
  expect(shown).not.toMatch(/whsec_(?!A{32})|eyJ[\w-]{10}|BEGIN [A-Z ]*PRIVATE/);
  expect(shown).not.toMatch(/\/\/(?:127\.0\.0\.1|localhost)/);
});
