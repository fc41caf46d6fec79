/** The e-mail verifiers that exist, in the order in which they are asked. */
import { reacher } from './reacher.ts';
import { smtpProbe } from './smtp-probe.ts';
import { zerobounce } from './zerobounce.ts';

export const emailVerifiers = { reacher, zerobounce, smtp_probe: smtpProbe } as const;
