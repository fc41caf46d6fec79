/** Encrypts what Temporal stores of workflows: inputs, results, failures, summaries, details. */
import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { Field, MapField, Type } from 'protobufjs';
import { createByteCipher } from '../encryption/cipher.ts';

/** Payloads with this `encoding` are ours; the decoder passes all others unchanged. */
export const ENCRYPTED = 'binary/encrypted';

/**
 * `temporal.api.common.v1.Payload` as Temporal's API defines it; it is sealed as a whole, so that the
 * payload's own encoding is kept.
 */
const payloadType = new Type('Payload')
  .add(new MapField('metadata', 1, 'string', 'bytes'))
  .add(new Field('data', 2, 'bytes'));

/** Bundled into the workflows, and loaded by clients and workers: plain JavaScript, for both. */
export const failureConverterPath = fileURLToPath(
  new URL('./failure-converter.cjs', import.meta.url),
);

/** One installation: clients and workers of a namespace have the same keys. */
export interface CodecSettings {
  /** As `createByteCipher` takes them. */
  ENCRYPTION_KEYS: string;
  TEMPORAL_NAMESPACE: string;
}

/**
 * Encrypts with the first key and decrypts with all. Bound to the namespace: data copied from a column of
 * Postgres, or from another namespace, cannot be decrypted here. Plain payloads pass, so signals of
 * Temporal's own command line work, and so do payloads from before the first key.
 * docs/workflow-rules.md#small-and-encrypted-payloads.
 */
export function createPayloadCodec(settings: CodecSettings): PayloadCodec {
  const cipher = createByteCipher(settings.ENCRYPTION_KEYS);
  const boundTo = `temporal-payload:${settings.TEMPORAL_NAMESPACE}`;
  const metadata = {
    encoding: Buffer.from(ENCRYPTED),
    // Shows people which keys are still in use; the sealed bytes contain the id themselves.
    'encryption-key-id': Buffer.from(cipher.keyId),
  };
  const encode = (payload: Payload): Payload => ({
    metadata,
    data: cipher.seal(payloadType.encode(payloadType.fromObject(payload)).finish(), boundTo),
  });
  const decode = (payload: Payload): Payload => {
    if (!isEncrypted(payload)) return payload;
    const opened = payloadType.decode(cipher.open(Buffer.from(payload.data ?? []), boundTo));
    return payloadType.toObject(opened, { defaults: true }) as Payload;
  };
  return {
    encode: async (payloads) => payloads.map(encode),
    decode: async (payloads) => payloads.map(decode),
  };
}

/** For clients and workers alike; failures' messages and stack traces are encrypted, too. */
export const createDataConverter = (settings: CodecSettings): DataConverter => ({
  payloadCodecs: [createPayloadCodec(settings)],
  failureConverterPath,
});

const isEncrypted = ({ metadata }: Payload): boolean =>
  metadata?.['encoding'] !== undefined &&
  Buffer.from(metadata['encoding']).toString() === ENCRYPTED;
