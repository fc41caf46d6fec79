/** What a simulated vendor of language models has noted: what it was told, and what it said. */
import type { Store } from '../store.ts';
import { openFinderAccount } from '../finders/account.ts';

/** The one model that both vendors have. */
export const SANDBOX_MODEL = 'sandbox-model';

/** Each call that is paid costs a credit; its text is what left the installation. */
export function openModelBooks(store: Store, vendor: 'anthropic' | 'openai') {
  const account = openFinderAccount(store, vendor);
  return {
    noteRequest: () => account.noteRequest(),
    isPaid: () => account.left() > 0,
    note: (content: string, output: string) => account.charge(1, { content, output }),
    shown: () => account.shown(),
  };
}

/** Words of JSON Schema that neither vendor takes where a schema is binding. */
const UNSUPPORTED = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'pattern'];

/** What is wrong with a schema; undefined: nothing. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema) || schema['type'] !== 'object') return 'the schema has to be an object';
  if (schema['additionalProperties'] !== false) return 'additionalProperties has to be false';
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const optional = Object.keys(properties).find((name) => !required.includes(name));
  if (optional !== undefined) return `${optional} has to be required`;
  const words = Object.values(properties).flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  const unknown = words.find((word) => UNSUPPORTED.includes(word));
  return unknown === undefined ? undefined : `${unknown} is not supported`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some four characters are a token. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
