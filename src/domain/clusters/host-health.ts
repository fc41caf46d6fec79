/** What may be wrong with a mail host itself, as its program tells it. Choice 90. */
import { DAY_MS } from '../day.ts';
import { failing, ok, unknown, warning, type PartHealth } from './cluster-health.ts';

/** What the host's program reads; hosts with an older one tell nothing. */
export interface HostSigns {
  /** Messages that wait in Postfix's queue. */
  queued: number;
  /** Of blocks or of inodes, whichever are fewer. */
  diskUsedPercent: number;
  stoppedServices: string[];
  /** Of 25, 465 and 993: nobody listens there. */
  closedPorts: number[];
  /** An upgrade waits for a reboot. */
  needsReboot: boolean;
}

export const HOST_TROUBLES = [
  'unreachable',
  'certificate',
  'services',
  'ports',
  'disk',
  'queue',
] as const;
export type HostTroubleKind = (typeof HOST_TROUBLES)[number];

export interface HostTrouble {
  kind: HostTroubleKind;
  message: string;
}

/** A certificate is renewed a month before its end (certbot); two weeks before, something is wrong. */
const CERTIFICATE_WARN_DAYS = 14;
/** Postfix refuses mail when a message does not fit any more, and Dovecot cannot deliver. */
const DISK_WARN_PERCENT = 85;
const DISK_FULL_PERCENT = 95;
/** Far more than greylisting and full mailboxes of recipients hold back on a host. */
const QUEUE_WARN_MESSAGES = 500;

/** What to do about a host that does not answer is the same for all of them. */
export const UNREACHABLE: HostTrouble = {
  kind: 'unreachable',
  message: 'The host does not answer by SSH',
};

/** Everything that is wrong, the worst first. */
export function hostTroubles(
  seen: { signs: HostSigns | null; certificate: { expiresAt: string } | null },
  now: Date,
): HostTrouble[] {
  const troubles: HostTrouble[] = [];
  const expiry = seen.certificate?.expiresAt;
  if (expiry === undefined) {
    troubles.push({ kind: 'certificate', message: 'The host has no certificate of an authority' });
  } else if (Date.parse(expiry) - now.getTime() < CERTIFICATE_WARN_DAYS * DAY_MS) {
    troubles.push({
      kind: 'certificate',
      message: `The certificate should have been renewed: it is valid until ${expiry}`,
    });
  }
  return [...troubles, ...(seen.signs ? signTroubles(seen.signs) : [])];
}

function signTroubles(signs: HostSigns): HostTrouble[] {
  const { stoppedServices, closedPorts, diskUsedPercent, queued } = signs;
  const troubles: HostTrouble[] = [];
  if (stoppedServices.length > 0) {
    troubles.push({ kind: 'services', message: `Not running: ${stoppedServices.join(', ')}` });
  }
  if (closedPorts.length > 0) {
    troubles.push({ kind: 'ports', message: `Nobody listens on ${closedPorts.join(', ')}` });
  }
  if (diskUsedPercent >= DISK_WARN_PERCENT) {
    troubles.push({ kind: 'disk', message: `${diskUsedPercent}% of the disk is used` });
  }
  if (queued >= QUEUE_WARN_MESSAGES) {
    troubles.push({ kind: 'queue', message: `${queued} messages wait in the queue` });
  }
  return troubles;
}

/** The part `host` of a cluster's health; the certificate has a part of its own. */
export function hostHealth(signs: HostSigns | null): PartHealth {
  if (signs === null) {
    return unknown('The program of the host is of an earlier release, which does not tell');
  }
  const troubles = signTroubles(signs);
  const words = troubles.map(({ message }) => message).join('; ');
  const isDown = troubles.some(({ kind }) => kind === 'services' || kind === 'ports');
  if (isDown || signs.diskUsedPercent >= DISK_FULL_PERCENT) return failing(words);
  if (troubles.length > 0) return warning(words);
  return ok(
    `All services run, ${signs.queued} messages wait, ${signs.diskUsedPercent}% of the disk is used` +
      (signs.needsReboot ? '; an upgrade waits for a reboot' : ''),
  );
}
