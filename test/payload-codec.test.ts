/** What Temporal is given opens with the keys of this installation, and with nothing else. */
import { randomBytes } from 'node:crypto';
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import {
  decodeFailure,
  encodeErrorToFailure,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { describe, expect, it } from 'vitest';
import { createCipher } from '../src/encryption/cipher.ts';
import { createDataConverter, createPayloadCodec } from '../src/temporal/payload-codec.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const codecOf = (ENCRYPTION_KEYS: string, TEMPORAL_NAMESPACE = 'default') =>
  createPayloadCodec({ ENCRYPTION_KEYS, TEMPORAL_NAMESPACE });
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value)!;
const textOf = ({ metadata, data }: Payload) =>
  Buffer.concat([...Object.values(metadata ?? {}), data ?? Buffer.alloc(0)]);

const VALUES = [undefined, null, '', 'checklist', { a: [1, 'ü'] }, new Uint8Array([0, 255])];

const valuesOf = (payloads: Payload[]) =>
  payloads.map((payload) => defaultPayloadConverter.fromPayload(payload));

describe('a payload', () => {
  it('comes back as it was, whatever it holds, and says nothing meanwhile', async () => {
    const codec = codecOf(key('k1'));
    const payloads = VALUES.map(payloadOf);
    const sealed = await codec.encode(payloads);
    const opened = await codec.decode(sealed);
    expect(valuesOf(opened)).toEqual(VALUES);
    expect(Buffer.concat(sealed.map(textOf)).toString('latin1')).not.toMatch(
      /checklist|json|plain/,
    );
    expect(sealed.map(({ metadata }) => String(metadata?.['encryption-key-id']))).toEqual(
      VALUES.map(() => 'k1'),
    );
  });

  it('that is plain passes the decoder', async () => {
    const payloads = VALUES.map(payloadOf);
    expect(await codecOf(key('k1')).decode(payloads)).toEqual(payloads);
  });

  it('opens after a new key came first, and not after its own was removed', async () => {
    const [old, young] = [key('old'), key('young')];
    const sealed = await codecOf(old).encode([payloadOf('x')]);
    expect(valuesOf(await codecOf(`${young},${old}`).decode(sealed))).toEqual(['x']);
    const newer = await codecOf(`${young},${old}`).encode([payloadOf('x')]);
    expect(valuesOf(await codecOf(young).decode(newer))).toEqual(['x']);
    await expect(codecOf(young).decode(sealed)).rejects.toThrow('not configured');
  });

  it('opens in its namespace alone, and no secret of a row opens as one', async () => {
    const keys = key('k1');
    const sealed = await codecOf(keys).encode([payloadOf('x')]);
    await expect(codecOf(keys, 'other').decode(sealed)).rejects.toThrow(/authenticate/);
    const data = createCipher(keys).seal('password', 'mailbox:7:password');
    const forged = [{ ...sealed[0]!, data }];
    await expect(codecOf(keys).decode(forged)).rejects.toThrow(/authenticate/);
  });
});

describe('a failure', () => {
  it('shows neither message nor stack trace, nor that of its cause', async () => {
    const settings = { ENCRYPTION_KEYS: key('k1'), TEMPORAL_NAMESPACE: 'default' };
    const converter = loadDataConverter(createDataConverter(settings));
    const cause = ApplicationFailure.create({ message: 'canary of the cause' });
    const error = ApplicationFailure.create({ message: 'canary', details: ['canary'], cause });
    const failure = await encodeErrorToFailure(converter, error);
    expect(JSON.stringify(failure)).not.toMatch(/canary|payload-codec\.test/);
    const decoded = await decodeFailure(converter.payloadCodecs, failure);
    const opened = converter.failureConverter.failureToError(decoded, converter.payloadConverter);
    expect(opened).toMatchObject({ message: 'canary', cause: { message: 'canary of the cause' } });
  });
});
