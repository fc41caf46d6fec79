/** Operations as their owners see them: names of what they work on, and what may be asked of them. Choice 91. */
import type { Flow, FlowKind, ResourceType } from './flows.ts';

/**
 * What operations work on, in clients' words; null: work of the operators or of the product itself, which
 * clients see by what it serves.
 */
const CLIENT_RESOURCES = {
  campaign: 'campaign',
  cluster: 'cluster',
  custom_field: 'custom_field',
  domain: 'domain',
  domain_renewal: 'domain_renewal',
  email_validation: 'email_validation',
  inbox_sync: null,
  lead_import: 'lead_import',
  lead_list: 'lead_list',
  lead_process: 'lead_process',
  mailbox: 'mailbox',
  mailbox_import: 'mailbox_import',
  maps_import: 'maps_import',
  maps_run: 'maps_run',
  outgoing_letter: 'outgoing_message',
  placement_test: 'placement_test',
  server: null,
  tracking_domain: 'tracking_domain',
  wallet_recharge: 'wallet_recharge',
  warmup: 'warmup',
} as const satisfies Record<ResourceType, string | null>;

export type ClientResource = NonNullable<(typeof CLIENT_RESOURCES)[ResourceType]>;

export const clientResources = Object.values(CLIENT_RESOURCES).filter((name) => name !== null);

/** The types in rows, for a clients' word or for all that clients see. */
export const rowResources = (name?: ClientResource): ResourceType[] =>
  (Object.keys(CLIENT_RESOURCES) as ResourceType[]).filter((type) => {
    const own = CLIENT_RESOURCES[type];
    return name === undefined ? own !== null : own === name;
  });

export const isClientResource = (type: string): boolean =>
  CLIENT_RESOURCES[type as ResourceType] != null;

/** The clients' word; for a type that clients do not see, its own. */
export const clientResource = (type: ResourceType): string => CLIENT_RESOURCES[type] ?? type;

/** The types of jobs that clients see. */
export const clientKinds = (flows: readonly Flow[]): FlowKind[] =>
  flows.filter(({ resource }) => CLIENT_RESOURCES[resource] !== null).map(({ kind }) => kind);

/** States as in the answers about clusters: how it ended is `completed` or `failed`. */
export const CLIENT_STATES = [
  'pending',
  'running',
  'paused',
  'blocked',
  'compensating',
  'completed',
  'failed',
] as const;

export type ClientState = (typeof CLIENT_STATES)[number];

/** What a client may ask of an operation. */
export type ClientAction = 'retry' | 'cancel';
