/** What every stand-in receives: the records, faults, the log, the world's names and clock. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import { createCapacity, type Capacity } from './capacity.ts';
import { openCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import { createHostDirectory, type HostDirectory } from './host-directory.ts';
import { openRequestLog, type RequestLog } from './request-log.ts';
import { openStore, type Store } from './store.ts';
import { createZone, type Zone } from './zone.ts';

export interface SandboxOptions {
  stateDir: string;
  /** Where HTTP, DNS and the proxy listen; 127.0.0.1 when left out. Simulated hosts stay on the loopback. */
  host?: string | undefined;
  /** How the product reaches the HTTP server, where that is not by `host`. */
  url?: string | undefined;
  /** 0 takes a free one. */
  port: number;
  dnsPort: number;
  socksPort: number;
  /** Where signed payment webhooks go. */
  webhookUrl: string;
  webhookSecret: string;
  /** How many times faster than real time the world's own waits pass (boots, retries). */
  pace: number;
  /** How many times faster the vendors' rate limits run; default `pace`, Infinity for none. */
  limitPace?: number | undefined;
  /** Whether the proxy connects to hosts of the world only. */
  closed?: boolean | undefined;
  /** The tree of Debian 12 that rented servers boot (`--vps real`); without it they are simulated. */
  vpsImage?: string | undefined;
  /** Where the product's own links are served, plain and by TLS; nobody listens there without. */
  linksHttpPort?: number | undefined;
  linksTlsPort?: number | undefined;
  /** The machine of these ports; 127.0.0.1 when left out. */
  linksAddress?: string | undefined;
}

export interface SandboxCore {
  options: SandboxOptions;
  store: Store;
  faults: Faults;
  requestLog: RequestLog;
  ca: CertificateAuthority;
  zone: Zone;
  hosts: HostDirectory;
  capacity: Capacity;
  /** Base address of the sandbox's HTTP server, known once it listens. */
  baseUrl: () => string;
  /** By this factor the vendors' rate limits are wider than the real ones. */
  limitPace: number;
  /** Waits `ms / pace`: world time. Never rejects, ends early when the sandbox closes. */
  wait(ms: number): Promise<void>;
  /** Waits `ms` of real time, whatever the pace. */
  pause(ms: number): Promise<void>;
  /** Aborted when the sandbox closes. */
  closing: AbortSignal;
}

/** A stand-in as `sandbox.ts` plugs it in. Everything but `name` is optional. */
export interface StandIn {
  name: string;
  /** Where its routes are mounted on the sandbox's port, e.g. `/namecom`. */
  mount?: { path: string; router: Router };
  /** Pages for people at the sandbox's root. */
  pages?: Router;
  /** Its part of `GET /_sandbox/books`, merged deeply: `{ vps: { hetzner: {...} } }`. */
  vendorRecords?: (question: { raw: boolean }) => object;
  /** Its part of the control API, mounted under `/_sandbox`. */
  control?: Router;
  /** Opens listeners and resumes what the journal says was under way. */
  start?: () => Promise<void>;
  close?: () => Promise<void>;
}

/** The address that the sandbox's own servers listen on. */
export const listenHost = ({ host }: SandboxOptions): string => host ?? '127.0.0.1';

/** Opens the state directory; `close` ends all waits and aborts `closing`. */
export async function createCore(
  options: SandboxOptions,
): Promise<{ core: SandboxCore; listensAt: (url: string) => void; close: () => void }> {
  const store = openStore(options.stateDir);
  const zone = createZone();
  const closing = new AbortController();
  // Everything that waits adds a listener: queued messages, unanswered calls.
  setMaxListeners(0, closing.signal);
  let baseUrl = options.url ?? `http://${listenHost(options)}:${options.port}`;
  const core: SandboxCore = {
    options,
    store,
    faults: createFaults(store),
    requestLog: openRequestLog(options.stateDir),
    ca: await openCertificateAuthority(options.stateDir),
    zone,
    hosts: createHostDirectory(store, zone),
    capacity: createCapacity(store),
    baseUrl: () => baseUrl,
    limitPace: options.limitPace ?? options.pace,
    wait: (ms) => waitFor(ms / options.pace, closing.signal),
    pause: (ms) => waitFor(ms, closing.signal),
    closing: closing.signal,
  };
  return { core, listensAt: (url) => void (baseUrl = url), close: () => closing.abort() };
}

const waitFor = (ms: number, closing: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: closing }).catch(() => undefined);

const LOOK_MS = 50;

/** As long as the fault says, or until it is taken away. */
export async function waitOut(
  core: Pick<SandboxCore, 'faults' | 'pause' | 'closing'>,
  { id, delayMs }: Fault,
): Promise<void> {
  const until = performance.now() + delayMs;
  const isSet = () => core.faults.list().some((fault) => fault.id === id);
  for (let left = delayMs; left > 0 && isSet(); left = until - performance.now()) {
    if (core.closing.aborted) return;
    await core.pause(Math.min(left, LOOK_MS));
  }
}
