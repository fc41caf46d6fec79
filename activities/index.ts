/** All activities, by noun; a worker registers this list and nothing else. */
import type { Context } from '../src/context.ts';
import { discoveryActivities } from './discovery.ts';
import { dnsActivities } from './dns.ts';
import { domainActivities } from './domains.ts';
import { emailValidationActivities } from './email-validation.ts';
import { guardAll } from './guard.ts';
import { jobActivities } from './jobs.ts';
import { leadImportActivities } from './lead-imports.ts';
import { mailHostActivities } from './mail-hosts.ts';
import { mailboxActivities } from './mailboxes.ts';
import { mapsActivities } from './maps.ts';
import { operationActivities } from './operations.ts';
import { recoveryActivities } from './recovery.ts';
import { serverActivities } from './servers.ts';
import { walletActivities } from './wallet.ts';

export const createActivities = (context: Context) =>
  guardAll({
    ...operationActivities(context),
    ...recoveryActivities(context),
    ...walletActivities(context),
    ...domainActivities(context),
    ...serverActivities(context),
    ...dnsActivities(context),
    ...mailHostActivities(context),
    ...mailboxActivities(context),
    ...jobActivities(context),
    ...leadImportActivities(context),
    ...discoveryActivities(context),
    ...mapsActivities(context),
    ...emailValidationActivities(context),
  });

export type Activities = ReturnType<typeof createActivities>;
