/** Where Hetzner is newer than its file. */
import type { Deviation } from './provider-spec.ts';

const schema = (name: string) => `/components/schemas/${name}`;

const SERVER_PROPERTIES = [
  'backup_window',
  'created',
  'id',
  'image',
  'included_traffic',
  'ingoing_traffic',
  'iso',
  'labels',
  'location',
  'locked',
  'name',
  'outgoing_traffic',
  'primary_disk_size',
  'private_net',
  'protection',
  'public_net',
  'rescue_enabled',
  'server_type',
  'status',
];

export const HETZNER_DEVIATIONS: Deviation[] = [
  {
    at: schema('server'),
    keywords: { required: SERVER_PROPERTIES },
    reason: '`datacenter` of a server is gone since July 2026 (changelog, 2025-12-16)',
  },
  {
    at: schema('server_type_location'),
    properties: { available: { type: 'boolean' }, recommended: { type: 'boolean' } },
    reason: 'They replace the lists of data centres since April 2026 (changelog, 2026-04-01)',
  },
];
