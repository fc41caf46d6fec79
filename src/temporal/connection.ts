/** How every process and command reaches Temporal: address, TLS, key. */
import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';

type Name =
  | 'TEMPORAL_API_KEY'
  | 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'
  | 'TEMPORAL_TLS_SERVER_NAME'
  | 'TEMPORAL_TLS_CLIENT_CERT_PATH'
  | 'TEMPORAL_TLS_CLIENT_KEY_PATH';

/** The part of the settings (src/settings/temporal.ts) that a connection depends on. */
export interface ConnectionSettings extends Partial<Record<Name, string | undefined>> {
  TEMPORAL_ADDRESS: string;
  TEMPORAL_TLS: boolean;
}

/**
 * After a longer outage gRPC would wait up to two minutes before it reconnects: longer than a start
 * waits, which is then left to the reconciler. And it would notice a silently lost peer only after 45 s.
 */
export const TEMPORAL_CHANNEL = {
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 15_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

/**
 * Options of the client's and of the worker's connection. The files are read now: a process takes a renewed
 * certificate at its next start. Throws an Error that names the variable whose file cannot be read.
 */
export function connectionOptions(settings: ConnectionSettings) {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey } = settings;
  return { address, tls: tlsOf(settings), ...(apiKey !== undefined && { apiKey }) };
}

/** What is wrong with the settings, as `NAME: reason`. */
export function temporalProblems(settings: ConnectionSettings): string[] {
  const cert = settings.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const key = settings.TEMPORAL_TLS_CLIENT_KEY_PATH;
  if (cert !== undefined && key === undefined) {
    return ['TEMPORAL_TLS_CLIENT_KEY_PATH: it is needed with TEMPORAL_TLS_CLIENT_CERT_PATH'];
  }
  if (key !== undefined && cert === undefined) {
    return ['TEMPORAL_TLS_CLIENT_CERT_PATH: it is needed with TEMPORAL_TLS_CLIENT_KEY_PATH'];
  }
  try {
    tlsOf(settings);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function tlsOf(settings: ConnectionSettings): TLSConfig | boolean {
  const ca = fileOf(settings, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const crt = fileOf(settings, 'TEMPORAL_TLS_CLIENT_CERT_PATH');
  const key = fileOf(settings, 'TEMPORAL_TLS_CLIENT_KEY_PATH');
  const name = settings.TEMPORAL_TLS_SERVER_NAME;
  if (!ca && !crt && name === undefined) return settings.TEMPORAL_TLS;
  return {
    ...(name !== undefined && { serverNameOverride: name }),
    ...(ca && { serverRootCACertificate: ca }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
}

function fileOf(settings: ConnectionSettings, name: Name): Buffer | undefined {
  const path = settings[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`${name}: the file cannot be read (${code})`, { cause: error });
  }
}
