/** Access: tokens, keys, rate limits. */
import { z } from 'zod';
import { list, port } from './values.ts';

export const accessSettings = {
  /** Comma separated; all of them verify, `outreach token` signs with the first. */
  JWT_SECRET: list.refine(
    (secrets) => secrets.every((secret) => secret.length >= 32),
    'each of the secrets, which commas separate, needs at least 32 characters',
  ),

  JWT_JWKS_URL: z.url().optional(),
  JWT_PUBLIC_KEY: z.string().optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),

  /** `id:base64(32 bytes)`, comma separated; the first encrypts, all decrypt. */
  ENCRYPTION_KEYS: z.string().min(1),
  /** Keys that are no longer among these, and still read the links in messages that were sent under them. */
  LINK_KEYS: z.string().optional(),
  /** Grants reading of every payload of Temporal; without it the codec endpoint is off. */
  CODEC_TOKEN: z.string().min(32).optional(),
  CODEC_PORT: port.default(9466),
  /** Origins of Temporal's UI, from which browsers may call the codec endpoint. */
  CODEC_CORS_ORIGINS: list,

  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().positive().default(100),
  RATE_LIMIT_PER_HOUR: z.coerce.number().int().positive().default(1_000),
};
