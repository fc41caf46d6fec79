/** What the audit log learns of a request before its work: who, from where, what. Choice 98. */
import type { Request, Response } from 'express';
import type { AuditActor, AuditedRequest, AuditedResource } from '../domain/accounts/audit-log.ts';
import type { IdempotencyKeyId } from '../domain/accounts/http-stores.ts';
import type { Route } from './route.ts';
import type { User } from './user.ts';

/** What operations are about, by the beginning of their names. A test asks for those that are missing. */
const RESOURCES: Readonly<Record<string, AuditedResource>> = {
  account: 'account',
  apiKeys: 'api_key',
  campaignLeads: 'campaign',
  campaigns: 'campaign',
  clusters: 'cluster',
  companies: 'company',
  customFields: 'custom_field',
  dnsRecords: 'domain',
  domains: 'domain',
  emailValidations: 'email_validation',
  erasures: 'erasure',
  inbox: 'message',
  leadImports: 'lead_import',
  leadLists: 'lead_list',
  leadProcesses: 'lead_process',
  leads: 'lead',
  mailboxImports: 'mailbox_import',
  mailboxes: 'mailbox',
  mapsRuns: 'maps_run',
  operations: 'operation',
  placementSeeds: 'placement_seed',
  placementTests: 'placement_test',
  recipientLinks: 'suppression',
  schedules: 'schedule',
  suppressions: 'suppression',
  trackingDomains: 'tracking_domain',
  wallet: 'wallet',
  warmup: 'warmup',
  webhookDeliveries: 'webhook',
  webhooks: 'webhook',
};

/** Who acts where nobody of the account does. */
const OUTSIDERS: Readonly<Record<string, string>> = {
  'recipientLinks.resubscribe': 'recipient',
  'recipientLinks.unsubscribe': 'recipient',
  'wallet.receiveEvent': 'payment processor',
};

const MAX_USER_AGENT = 200;

/** Every operation that may change something. */
export const isAudited = ({ method, changesNothing }: Route): boolean =>
  method !== 'get' && !changesNothing;

interface Call {
  route: Route;
  request: Request;
  response: Response;
  user: User | undefined;
  params: Record<string, unknown>;
  idempotent: IdempotencyKeyId | undefined;
}

export function auditedRequest(call: Call): AuditedRequest {
  const { route, request, response, user, params, idempotent } = call;
  const { operationId } = route;
  const { id } = params;
  const isKnown = typeof id === 'number' || typeof id === 'string';
  return {
    userId: user?.userId,
    actor: actorOf(user, operationId),
    // Where somebody outside has followed a link from is nothing that the account has to know.
    ...(user && { ip: request.ip, userAgent: request.get('user-agent')?.slice(0, MAX_USER_AGENT) }),
    action: operationId,
    resourceType: RESOURCES[operationId.split('.')[0]!],
    ...(isKnown && { resourceId: id }),
    requestId: response.locals.requestId as string,
    idempotencyKey: route.repeatable && idempotent,
  };
}

function actorOf(user: User | undefined, operationId: string): AuditActor {
  if (!user) return { kind: 'system', id: null, name: OUTSIDERS[operationId] ?? null };
  if (user.token === 'jwt') return { kind: 'user', id: user.userId, name: null };
  return { kind: 'api_key', id: user.keyId!, name: user.keyPrefix! };
}
