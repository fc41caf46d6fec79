/** Every column that holds sealed bytes, and what each value is bound to. */
import { clientKeyBinding, hostKeyBinding } from '../db/clusters/server-access.ts';
import { dkimBinding } from '../db/domains/dkim-keys.ts';
import { acmeAccountBinding, trackingKeyBinding } from '../db/domains/tracking-certificates.ts';
import { rolePasswordBinding } from '../db/mail-reports/role-mailboxes.ts';
import { rowPasswordBinding } from '../db/mailboxes/mailbox-imports.ts';
import { passwordBinding } from '../db/mailboxes/mailboxes.ts';
import { consentBinding } from '../db/mailboxes/oauth-consents.ts';
import { accessTokenBinding, refreshTokenBinding } from '../db/mailboxes/oauth-grants.ts';
import { seedPasswordBinding } from '../db/placement/placement-seeds.ts';
import { secretBinding } from '../db/webhooks/webhooks.ts';
import { answerBinding, effectBinding } from '../domain/accounts/http-stores.ts';
import type { RoleName } from '../domain/mail-reports/role-mailboxes.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of its primary key. */
  key: readonly string[];
  /** Another column that the binding is made of. */
  boundBy?: string;
  boundTo(row: Readonly<Record<string, unknown>>): string;
}

const id = (row: Readonly<Record<string, unknown>>): number => Number(row['id']);
const intentName = (row: Readonly<Record<string, unknown>>): string => String(row['intent_name']);
const request = (row: Readonly<Record<string, unknown>>) => ({
  userId: String(row['user_id']),
  route: String(row['route']),
  key: String(row['key']),
});

/**
 * `outreach keys rotate` encrypts these anew. A column that is not here stays under its old key, and is lost
 * with that key: `test/db/sealed-columns.test.ts` compares the list with the schema.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...['dkim_private_key', 'next_dkim_private_key'].map((column) => ({
    table: 'domains',
    column,
    key: ['id'],
    boundTo: (row: Readonly<Record<string, unknown>>) => dkimBinding(id(row)),
  })),
  ...['client_private_key', 'next_client_private_key'].map((column) => ({
    table: 'servers',
    column,
    key: ['id'],
    boundBy: 'intent_name',
    boundTo: (row: Readonly<Record<string, unknown>>) => clientKeyBinding(intentName(row)),
  })),
  {
    table: 'servers',
    column: 'host_private_key',
    key: ['id'],
    boundBy: 'intent_name',
    boundTo: (row) => hostKeyBinding(intentName(row)),
  },
  ...['password', 'next_password'].map((column) => ({
    table: 'mailboxes',
    column,
    key: ['id'],
    boundTo: (row: Readonly<Record<string, unknown>>) => passwordBinding(id(row)),
  })),
  ...['certificate_key', 'order_key'].map((column) => ({
    table: 'tracking_domains',
    column,
    key: ['id'],
    boundTo: (row: Readonly<Record<string, unknown>>) => trackingKeyBinding(id(row)),
  })),
  {
    table: 'acme_accounts',
    column: 'private_key',
    key: ['directory_url'],
    boundTo: (row) => acmeAccountBinding(String(row['directory_url'])),
  },
  {
    table: 'oauth_consents',
    column: 'secret',
    key: ['digest'],
    boundTo: (row) => consentBinding(String(row['digest'])),
  },
  {
    table: 'oauth_grants',
    column: 'refresh_token',
    key: ['id'],
    boundTo: (row) => refreshTokenBinding(String(row['id'])),
  },
  {
    table: 'oauth_grants',
    column: 'access_token',
    key: ['id'],
    boundTo: (row) => accessTokenBinding(String(row['id'])),
  },
  {
    table: 'mailbox_import_rows',
    column: 'password',
    key: ['import_id', 'row_number'],
    boundTo: (row) =>
      rowPasswordBinding({ importId: Number(row['import_id']), row: Number(row['row_number']) }),
  },
  {
    table: 'placement_seeds',
    column: 'password',
    key: ['id'],
    boundTo: (row) => seedPasswordBinding(id(row)),
  },
  {
    table: 'role_mailboxes',
    column: 'password',
    key: ['cluster_id', 'name'],
    boundTo: (row) =>
      rolePasswordBinding({
        clusterId: Number(row['cluster_id']),
        name: row['name'] as RoleName,
      }),
  },
  ...['secret', 'previous_secret'].map((column) => ({
    table: 'webhooks',
    column,
    key: ['id'],
    boundTo: (row: Readonly<Record<string, unknown>>) => secretBinding(id(row)),
  })),
  {
    table: 'idempotency_keys',
    column: 'sealed_answer',
    key: ['user_id', 'route', 'key'],
    boundTo: (row) => answerBinding(request(row)),
  },
  {
    table: 'idempotency_keys',
    column: 'sealed_effect',
    key: ['user_id', 'route', 'key'],
    boundTo: (row) => effectBinding(request(row)),
  },
];
