/** Contract of `publishMtaSts`, which a Schedule runs: each domain gets its MTA-STS policy. */
import type { DomainPagesInput } from './domain-pages.ts';

export const publishMtaStsType = 'publishMtaSts';
export const PUBLISH_MTA_STS_SCHEDULE_ID = 'publish-mta-sts';
/** What is announced already costs one query a run. */
export const PUBLISH_MTA_STS_EVERY_SECONDS = 3_600;

export type PublishMtaStsInput = DomainPagesInput;
