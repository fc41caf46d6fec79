/** What the verb `status` of a simulated host tells. */
import type { HostContext } from './host-context.ts';

export function statusOf(host: HostContext): object {
  const { hostName, domains, certificates, smarthost, program = 'unknown' } = host.machine();
  const deployed = certificates.at(-1);
  return {
    hostName,
    domains: domains.map(({ domain, selector }) => ({ domain, selector })),
    mailboxes: host.mail.list(host.id).map((mailbox) => mailbox.address),
    certificate: deployed ? { hostName: deployed.hostName, expiresAt: deployed.expiresAt } : null,
    outbound25: outbound25(host),
    smarthost: smarthost ? { ...smarthost, state: stateOf(host, smarthost) } : null,
    program,
    signs: hostName === null ? null : signsOf(host),
  };
}

const signsOf = (host: HostContext) => ({
  queued: 0,
  diskUsedPercent: 12,
  stoppedServices: [],
  closedPorts: [],
  needsReboot: false,
  ...host.machine().signs,
});

/** As the script finds it: an unknown name, or a closed port, tells nothing. */
const stateOf = ({ core }: HostContext, { host, port }: { host: string; port: number }) =>
  core.hosts.dial(host, port) === undefined ? 'unknown' : 'open';

/** A fault of `mx` simulates a provider that drops port 25: no answer to `CONNECT`. */
const outbound25 = ({ core }: HostContext): 'open' | 'blocked' =>
  core.faults
    .list()
    .some(
      ({ vendor, operation, kind }) =>
        vendor === 'mx' && operation === 'CONNECT' && kind === 'timeout_before_effect',
    )
    ? 'blocked'
    : 'open';
