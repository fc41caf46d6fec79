/**
 * The four Keyword search attributes; no personal data, they are not encrypted.
 * docs/workflow-rules.md#what-operators-see.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Running, Paused, Blocked, Compensating, CompensationBlocked. */
export const opsState = defineSearchAttributeKey('OpsState', SearchAttributeType.KEYWORD);
export const opsStep = defineSearchAttributeKey('OpsStep', SearchAttributeType.KEYWORD);
export const tenantId = defineSearchAttributeKey('TenantId', SearchAttributeType.KEYWORD);
export const resourceId = defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD);

export const SEARCH_ATTRIBUTES = ['OpsState', 'OpsStep', 'TenantId', 'ResourceId'] as const;
