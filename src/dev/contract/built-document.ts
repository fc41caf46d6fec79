/** The API's document as this source makes it, without anything running. */
import type { Context } from '../../context.ts';
import type { OpenApiDocument } from '../../http/openapi.ts';
import { createDocument } from '../../http/openapi.ts';
import { createRoutes } from '../../routes/index.ts';
import { documentedWebhooks } from '../../routes/webhooks/event-schemas.ts';
import { sendingSettings } from '../../settings/sending.ts';

/** With the limits that are the default; else routes use the context when they are called, which nobody does. */
export function buildDocument(): OpenApiDocument {
  const { SEND_MAILBOX_DAILY_MAX } = sendingSettings;
  const config = { SEND_MAILBOX_DAILY_MAX: SEND_MAILBOX_DAILY_MAX.parse(undefined) };
  const context = { config, registrars: {} } as Context;
  return plain(createDocument(createRoutes(context), documentedWebhooks));
}

/** As it is after a journey through JSON: without undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Each operation and component on a line of its own: small, and a change shows where it is. */
export function textOf(document: OpenApiDocument): string {
  const lines = (value: unknown, depth: number): string => {
    if (depth === 0 || !isObject(value)) return JSON.stringify(value);
    const inner = Object.entries(value).map(
      ([key, each]) => `${JSON.stringify(key)}: ${lines(each, depth - 1)}`,
    );
    return `{\n${inner.join(',\n')}\n}`;
  };
  return `${lines(document, 3)}\n`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
