/** What Temporal keeps of workflows is encrypted: inputs, results, failures, summaries, details. */
import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { Field, MapField, Type } from 'protobufjs';
import { createByteCipher } from '../encryption/cipher.ts';

/** Payloads with this `encoding` are ours; every other passes the decoder as it is. */
export const ENCRYPTED = 'binary/encrypted';

/**
 * `temporal.api.common.v1.Payload` as Temporal's API defines it; the whole of it is sealed, so that
 * a payload's own encoding is no secret that is lost.
 */
const payloadType = new Type('Payload')
  .add(new MapField('metadata', 1, 'string', 'bytes'))
  .add(new Field('data', 2, 'bytes'));

/** Bundled into the workflows, and loaded beside them: plain JavaScript, wherever it is run. */
export const failureConverterPath = fileURLToPath(
  new URL('./failure-converter.cjs', import.meta.url),
);

/** Of one installation: clients and workers of a namespace have the same keys. */
export interface CodecSettings {
  /** As `createByteCipher` takes them. */
  ENCRYPTION_KEYS: string;
  TEMPORAL_NAMESPACE: string;
}

/**
 * Encrypts by the first key and decrypts by all. Sealed to the namespace: what was copied out of a
 * column of Postgres, or of another namespace, does not open here. Plain payloads pass, so a signal
 * of Temporal's own command line works, and so does what was there before the first key.
 * docs/workflow-rules.md#small-and-encrypted-payloads.
 */
export function createPayloadCodec(settings: CodecSettings): PayloadCodec {
  const cipher = createByteCipher(settings.ENCRYPTION_KEYS);
  const boundTo = `temporal-payload:${settings.TEMPORAL_NAMESPACE}`;
  const metadata = {
    encoding: Buffer.from(ENCRYPTED),
    // For people who look which keys are still in use; the sealed bytes name it themselves.
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
