/** What the format of Postman's collections (2.1) says of the parts that ours has; no other part is allowed. */

const text = { type: 'string' };
const pair = { type: 'object', required: ['key', 'value'] };
const strict = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const listOf = (items: object) => ({ type: 'array', items });

/** An `auth` names its kind, and has a list of pairs under that name. */
const noAuth = strict({ type: { const: 'noauth' } });
const bearer = strict({
  type: { const: 'bearer' },
  bearer: listOf(strict({ key: text, value: text, type: text })),
});

const parameter = { ...pair, properties: { key: text, value: text, description: text } };

const request = strict(
  {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    description: text,
    auth: noAuth,
    header: listOf(strict({ key: text, value: text })),
    url: strict({
      raw: text,
      host: listOf(text),
      path: listOf(text),
      variable: listOf({ ...parameter, additionalProperties: false }),
      query: listOf({
        ...parameter,
        properties: { ...parameter.properties, disabled: { type: 'boolean' } },
        additionalProperties: false,
      }),
    }),
    body: strict({
      mode: { const: 'raw' },
      raw: text,
      options: strict({ raw: strict({ language: { const: 'json' } }) }),
    }),
  },
  ['method', 'description', 'header', 'url'],
);

const item = strict({ name: text, request, response: { type: 'array', maxItems: 0 } });

export const collectionFormat = strict({
  info: strict({
    name: text,
    description: text,
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  auth: bearer,
  variable: listOf(strict({ key: text, value: text })),
  item: listOf(strict({ name: text, description: text, item: listOf(item) })),
});
