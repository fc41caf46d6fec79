/** MTA-STS (RFC 8461): others deliver to a domain by TLS alone, once its policy says so. */
import type { PlannedRecord } from './dns-plan.ts';

/** `testing`: failures are only reported; `enforce`: nothing is delivered without TLS. */
export type MtaStsMode = 'testing' | 'enforce';
export const MTA_STS_MODES = ['testing', 'enforce'] as const satisfies readonly MtaStsMode[];

/** What the policy of a domain says, in one word for its row: it changes with what is served. */
export const policyKey = (mode: MtaStsMode, hostName: string): string => `${mode} ${hostName}`;

/** The mode of a policy that is announced; undefined where none is. */
export const servedMode = (policy: string | null): MtaStsMode | undefined =>
  MTA_STS_MODES.find((mode) => policy?.split(' ')[0] === mode);

/** The name under which the policy is served; inside the domain, at its mail host. */
export const policyHost = (ipv4: string): PlannedRecord => ({
  type: 'A',
  name: 'mta-sts',
  value: ipv4,
});

/** Announces the policy; senders fetch it again when the id changes (RFC 8461, 3.1: 1 to 32 letters and digits). */
export const policyRecord = (id: string): PlannedRecord => ({
  type: 'TXT',
  name: '_mta-sts',
  value: `v=STSv1; id=${id}`,
});
