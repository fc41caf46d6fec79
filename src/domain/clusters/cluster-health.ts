/** Terms of cluster health: each part has a state and a sentence. Choice 14. */
import { DAY_MS } from '../day.ts';
import { listingsInWords, type Listing } from './sending-hold.ts';

/** `unknown`: the source of the information did not answer. */
export type PartState = 'ok' | 'warning' | 'failing' | 'unknown';

export interface PartHealth {
  state: PartState;
  message: string;
}

export const HEALTH_PARTS = [
  'server',
  'host',
  'imap',
  'smtp',
  'certificate',
  'ptr',
  'dns',
  'outbound25',
  'blocklists',
] as const;
export type HealthPart = (typeof HEALTH_PARTS)[number];

export interface ClusterHealth {
  lookedAt: Date;
  parts: Record<HealthPart, PartHealth>;
}

/** From the worst to the best; an unknown state is less serious than a known problem. */
const BY_GRAVITY: readonly PartState[] = ['failing', 'warning', 'unknown', 'ok'];

/** The worst of all parts. */
export const overallState = (parts: ClusterHealth['parts']): PartState =>
  BY_GRAVITY.find((state) => Object.values(parts).some((part) => part.state === state)) ?? 'ok';

export const ok = (message: string): PartHealth => ({ state: 'ok', message });
export const warning = (message: string): PartHealth => ({ state: 'warning', message });
export const failing = (message: string): PartHealth => ({ state: 'failing', message });
export const unknown = (message: string): PartHealth => ({ state: 'unknown', message });

/** A certificate is renewed a month before its end (certbot); two weeks before, something is wrong. */
const WARN_DAYS = 14;

/** Undefined: no handshake showed the certificate. */
export function certificateHealth(expiresAt: Date | undefined, now: Date): PartHealth {
  if (!expiresAt) return unknown('No port answered with a certificate');
  const until = `valid until ${expiresAt.toISOString()}`;
  const days = (expiresAt.getTime() - now.getTime()) / DAY_MS;
  if (days <= 0) return failing(`The certificate has expired: ${until}`);
  return days < WARN_DAYS ? warning(`It should have been renewed: ${until}`) : ok(until);
}

type Found = 'open' | 'blocked' | 'unknown';

/**
 * Whether messages can leave. Vendors open a closed port 25 on request, and a smarthost makes it unnecessary;
 * until then nothing is sent. docs/providers/README.md#where-outgoing-port-25-stays-closed.
 */
export function outbound25Health(
  found: Found,
  smarthost: { host: string; port: number; state: Found | 'refused' } | null,
): PartHealth {
  if (smarthost) {
    const words = `Messages leave by the smarthost ${smarthost.host}:${smarthost.port}`;
    const port25 = `outgoing port 25 (${found}) is not used`;
    if (smarthost.state === 'open') return ok(`${words}; ${port25}`);
    const why =
      smarthost.state === 'refused'
        ? 'which refuses the login of SMARTHOST_URL or has no certificate for its name: messages wait'
        : 'which does not answer the server';
    return failing(`${words}, ${why}; ${port25}`);
  }
  if (found === 'open') return ok('Outgoing port 25 is open');
  if (found === 'unknown') return unknown('Outgoing port 25 could not be probed');
  return failing(
    'The provider blocks outgoing port 25: campaigns and warm-up wait. Ask the provider to open the ' +
      'port for this server, or send by a smarthost (the setting SMARTHOST_URL, ' +
      'smtp://user:password@host:587)',
  );
}

/** Whether recipients that ask a blocklist would refuse the server's messages. */
export function blocklistHealth(
  ipv4: string,
  found: { listings: readonly Listing[]; unanswered: readonly string[]; asked: readonly string[] },
): PartHealth {
  const { listings, unanswered, asked } = found;
  if (listings.length > 0) {
    return failing(
      `${ipv4} is on ${listingsInWords(listings)}: campaigns wait. Ask each list to remove it, once the ` +
        'cause is gone, or take another server',
    );
  }
  if (asked.length === 0) return ok('No blocklist is asked (the setting DNSBL_ZONES)');
  if (unanswered.length === 0) return ok(`${ipv4} is on none of ${asked.length} blocklists`);
  return unknown(`${unanswered.join(', ')} did not answer about ${ipv4}`);
}
