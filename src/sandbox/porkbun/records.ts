/** Porkbun's DNS: takes labels; answers full names, and numbers as strings. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import { send } from '../vendor-router.ts';
import { fqdnOf, type KeptRecord, type PorkbunRecords, type SoldDomain } from './vendor-records.ts';
import { invalidDomain, refuse, success } from './wire.ts';

const MIN_TTL_SECONDS = 600;
const TYPES = ['A', 'AAAA', 'MX', 'CNAME', 'ALIAS', 'TXT', 'NS', 'SRV', 'TLSA', 'CAA', 'SSHFP'];
/** `0 issue "ca.example.net"`. */
const AUTHORITY = /^\d{1,3} [a-z0-9]+ "[^"]*"$/i;
const LABEL = /^$|^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\*$/i;
const OPT_IN =
  'Domain is not opted in to API access. You can enable API access for all domains globally ' +
  'from your account settings at porkbun.com.';

const recordBody = z.object({
  name: z.string().nullish(),
  type: z.string(),
  content: z.string().min(1),
  ttl: z.coerce.number().int().nullish(),
  prio: z.coerce.number().int().min(0).max(65_535).nullish(),
});

export function recordRoutes(vendorRecords: PorkbunRecords): Router {
  const router = Router();
  router.post('/dns/retrieve/:domain', (request, response) => {
    const { domain } = manageable(vendorRecords, request.params.domain);
    const records = vendorRecords.records(domain).map(shownRecord);
    send(response, success({ cloudflare: 'disabled', records }));
  });
  router.post('/dns/create/:domain', (request, response) => {
    const { domain } = manageable(vendorRecords, request.params.domain);
    const record = toRecord(request, domain);
    const twin = vendorRecords.records(domain).find((other) => isSame(other, record));
    if (twin) {
      const more = { existingId: twin.id };
      throw refuse('DUPLICATE_RECORD', 'A record with this content already exists.', more);
    }
    const id = String(vendorRecords.nextId('record'));
    vendorRecords.saveRecord({ ...record, id });
    send(response, success({ id }));
  });
  router.post('/dns/edit/:domain/:id', (request, response) => {
    const { id, domain } = kept(vendorRecords, request.params);
    vendorRecords.saveRecord({ ...toRecord(request, domain), id });
    send(response, success());
  });
  router.post('/dns/delete/:domain/:id', (request, response) => {
    vendorRecords.deleteRecord(kept(vendorRecords, request.params).id);
    send(response, success());
  });
  return router;
}

/** The domain of this account, if the API may touch it. */
function manageable(vendorRecords: PorkbunRecords, name: string): SoldDomain {
  const sold = vendorRecords.domain(name.toLowerCase());
  if (sold === undefined) throw invalidDomain();
  if (!sold.apiAccess) throw refuse(OPT_IN.toUpperCase().replaceAll(/[^A-Z]+/g, '_'), OPT_IN);
  return sold;
}

function kept(vendorRecords: PorkbunRecords, params: { domain: string; id: string }): KeptRecord {
  const { domain } = manageable(vendorRecords, params.domain);
  const record = vendorRecords.record(params.id);
  if (record?.domain !== domain) throw refuse('INVALID_RECORD_ID', 'Invalid record ID.');
  return record;
}

function toRecord(request: Request, domain: string): Omit<KeptRecord, 'id'> {
  const parsed = recordBody.safeParse(request.body);
  if (!parsed.success) throw refuse('INVALID_REQUEST', 'type and content are required.');
  const { name, type, content, ttl, prio } = parsed.data;
  if (!TYPES.includes(type)) throw refuse('INVALID_TYPE', 'Invalid record type.');
  // A full name as a label would be `www.example.com.example.com`; the apex is blank.
  const label = (name ?? '').toLowerCase();
  if (!LABEL.test(label) || label === '@') throw refuse('INVALID_NAME', 'Invalid name.');
  if (type === 'A' && !z.ipv4().safeParse(content).success) {
    throw refuse('INVALID_CONTENT', 'Content is not an IPv4 address.');
  }
  if (type === 'CAA' && !AUTHORITY.test(content)) {
    throw refuse('INVALID_CONTENT', 'Content is not a CAA value.');
  }
  if (ttl && ttl < MIN_TTL_SECONDS) throw refuse('INVALID_TTL', 'TTL must be at least 600.');
  const hasPriority = type === 'MX' || type === 'SRV';
  return {
    domain,
    label,
    type,
    content,
    ttl: ttl || MIN_TTL_SECONDS,
    prio: hasPriority ? (prio ?? 0) : null,
    changedAtMs: Date.now(),
  };
}

const isSame = (a: Omit<KeptRecord, 'id'>, b: Omit<KeptRecord, 'id'>): boolean =>
  a.label === b.label && a.type === b.type && a.content === b.content && a.prio === b.prio;

const shownRecord = (record: KeptRecord) => ({
  id: record.id,
  name: fqdnOf(record),
  type: record.type,
  content: record.content,
  ttl: String(record.ttl),
  prio: record.prio === null ? null : String(record.prio),
  notes: null,
});
