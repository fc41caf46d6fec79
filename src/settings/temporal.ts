/** Of Temporal: its address, how the connection is proven, and which queues a worker serves. */
import { z } from 'zod';
import { WORKER_ROLES } from '../domain/operations/queues.ts';
import { someOf } from './values.ts';

const share = z.coerce.number().min(0.01).max(1);

export const temporalSettings = {
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_API_KEY: z.string().optional(),
  /** Implied by each of the following four, which are named as in Temporal's own command line. */
  TEMPORAL_TLS: z.stringbool().default(false),
  /** A file (PEM) of the authority that signed the server's certificate; unset = the public ones. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().optional(),
  /** The name in the server's certificate, where it is not the host of the address. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** Files (PEM) of the certificate and key that this process shows (mutual TLS); both or none. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional(),

  /**
   * Names the build of a worker process to the server (Worker Deployment Versioning); unset = not versioned.
   * docs/deployment.md#builds-beside-each-other.
   */
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.+-]{1,200}$/, 'takes letters, digits and . _ + -')
    .optional(),
  /** The deployment that the builds are versions of. */
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w+-]{1,200}$/, 'takes letters, digits and _ + -')
    .default('outreach'),

  /** How many discoveries, maps runs, imports and validations of one account run at once; the others wait. */
  ACCOUNT_RUNNING_JOBS: z.coerce.number().int().positive().default(10),

  /**
   * Shares of memory and processors above which a worker takes hardly any more activities; unset = not looked at.
   * docs/deployment.md#what-scales.
   */
  WORKER_MEMORY_TARGET: share.optional(),
  WORKER_CPU_TARGET: share.optional(),

  /** What a worker process serves; empty = all. docs/deployment.md#what-scales. */
  WORKER_ROLES: someOf(WORKER_ROLES),
};
