/** Every operation of the API's document has an example from a real run: src/http/openapi-examples.ts. */
import { expect, it } from 'vitest';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import { operationsOf, type ContractDocument } from '../../src/dev/contract/schema.ts';
import { exampleOf } from '../../src/http/openapi-examples.ts';

const operations = operationsOf(buildDocument() as unknown as ContractDocument).map(
  ({ operation }) => operation,
);

/** `content` of the body that is sent, and of the answer of success. */
const JSON_TYPE = 'application/json';
const takesBody = operations.filter(({ requestBody }) => requestBody?.content?.[JSON_TYPE]);
const givesBody = operations.filter(({ responses }) =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && content?.[JSON_TYPE],
  ),
);

/** Operations without one, and why none can be shown. */
const WITHOUT_ANSWER: Readonly<Record<string, string>> = {
  'documentation.read': 'it answers the document itself, which would have to hold itself',
};

it('shows a request of each operation that takes a body', () => {
  const missing = takesBody.filter(({ operationId }) => !exampleOf(operationId)?.request);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

it('shows an answer of each operation that gives one', () => {
  const missing = givesBody.filter(({ operationId }) => !exampleOf(operationId)?.answer);
  expect(missing.map(({ operationId }) => operationId)).toEqual(Object.keys(WITHOUT_ANSWER));
});

it('shows no secret and no address of the machine that it was made on', () => {
  const shown = JSON.stringify(operations.map(({ operationId }) => exampleOf(operationId)));
  expect(shown).not.toMatch(/svc_(?!0{64})[0-9a-f]{8}/);
  expect(shown).not.toMatch(/whsec_(?!A{32})|eyJ[\w-]{10}|BEGIN [A-Z ]*PRIVATE/);
  expect(shown).not.toMatch(/\/\/(?:127\.0\.0\.1|localhost)/);
});
