/** The types of events, their schemas, the API's document and docs/webhooks.md say the same. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { AnswerContent, EventPayloads } from '../../src/domain/webhooks/event-payloads.ts';
import {
  EVENT_TYPES,
  EVENTS,
  type EventType,
  type NewEvent,
} from '../../src/domain/webhooks/events.ts';
import { createDocument } from '../../src/http/openapi.ts';
import {
  answerContent,
  documentedWebhooks,
  eventData,
} from '../../src/routes/webhooks/event-schemas.ts';
import { root } from './documents.ts';

type Schemas = typeof eventData;
type Shown = { [T in keyof Schemas]: z.output<Schemas[T]> };
/** With the fields of intersections in one object, as schemas have them. */
type Written = { [T in EventType]: { [F in keyof EventPayloads[T]]: EventPayloads[T][F] } };

const fieldsOf = (type: EventType) =>
  Object.entries<z.ZodType>(eventData[type].shape).map(
    ([name, schema]) => `\`${name}\`${schema.safeParse(undefined).success ? '?' : ''}`,
  );

describe('the schemas of events', () => {
  it('have the fields and types that are written, of each type, and no others', () => {
    expectTypeOf<Shown>().toEqualTypeOf<Written>();
    expectTypeOf<z.output<typeof answerContent>>().toEqualTypeOf<AnswerContent>();
    expect(Object.keys(eventData).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  it('do not compile with a type left out, nor an event with another one’s payload', () => {
    const { 'email.sent': sent, ...others } = eventData;
    // @ts-expect-error `email.sent` has no schema.
    const incomplete: { readonly [T in EventType]: z.ZodType<EventPayloads[T]> } = others;
    expect({ ...incomplete, 'email.sent': sent }).toEqual(eventData);
    const { 'email.sent': words, ...wordless } = EVENTS;
    // @ts-expect-error Nobody says when `email.sent` happens.
    const unexplained: typeof EVENTS = wordless;
    expect({ ...unexplained, 'email.sent': words }).toEqual(EVENTS);
    const about = { userId: 'ann', resource: 'mailbox/1' };
    const payload = { mailboxId: 1, clusterId: 2, email: 'ada@acme.test' };
    const events: NewEvent[] = [
      { ...about, type: 'mailbox.created', payload },
      // @ts-expect-error Of a mailbox, not of a webhook.
      { ...about, type: 'webhook.disabled', payload },
      // @ts-expect-error Its cluster is missing.
      { ...about, type: 'mailbox.created', payload: { mailboxId: 1, email: 'ada@acme.test' } },
      // @ts-expect-error No such field is promised.
      { ...about, type: 'mailbox.created', payload: { ...payload, password: 'x' } },
    ];
    expect(events).toHaveLength(4);
  });
});

describe('the section `webhooks` of the document', () => {
  it('has each type, in the words of the docs, with the body that is posted', () => {
    const { webhooks = {} } = createDocument([], documentedWebhooks);
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { post } = webhooks[type] as unknown as Posting;
      expect(post.summary).toContain(EVENTS[type]);
      const body = post.requestBody.content['application/json'].schema.properties;
      expect(Object.keys(body)).toEqual(['id', 'type', 'createdAt', 'resource', 'data']);
      const { properties, required } = body.data!;
      const content = type === 'message.received' ? Object.keys(answerContent.shape) : [];
      const names = Object.keys(properties!);
      expect(names).toEqual([...Object.keys(eventData[type].shape), ...content]);
      const promised = names.map((name) => `\`${name}\`${required!.includes(name) ? '' : '?'}`);
      expect(promised.slice(0, names.length - content.length)).toEqual(fieldsOf(type));
    }
  });
});

describe('the table of docs/webhooks.md', () => {
  it('has a row for each type with when it happens and what it tells', async () => {
    const text = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (`\w+\.\w+`) +\| (.+?) +\| (.+?) +\|$/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      EVENT_TYPES.map((type) => [`\`${type}\``, EVENTS[type], fieldsOf(type).join(', ')]),
    );
  });
});

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
}

/** One webhook of the document, as far as it is looked at. */
interface Posting {
  post: {
    summary: string;
    requestBody: {
      content: { 'application/json': { schema: { properties: Record<string, Schema> } } };
    };
  };
}
