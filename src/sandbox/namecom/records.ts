/** Name.com's DNS records; `host` is null for the apex when the vendor shows it. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import { TXT_PIECE_BYTES } from '../../domain/domains/txt-value.ts';
import { fqdnOf, txtStrings, type KeptRecord, type NamecomRecords } from './vendor-records.ts';
import { owned } from './domains.ts';
import { page } from './paging.ts';
import { parseBody } from './request-body.ts';
import { refuse } from './wire.ts';

const MIN_TTL_SECONDS = 300;
/** The maximum length of a TXT record. */
const MAX_ANSWER_LENGTH = 4_000;

const recordBody = z
  .object({
    host: z.string().default(''),
    type: z.enum(['A', 'AAAA', 'ANAME', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']),
    answer: z.string().min(1).max(MAX_ANSWER_LENGTH),
    ttl: z.int().min(MIN_TTL_SECONDS).default(MIN_TTL_SECONDS),
    priority: z.int().min(0).max(65_535).optional(),
  })
  .refine((record) => record.type !== 'A' || z.ipv4().safeParse(record.answer).success, {
    path: ['answer'],
    message: 'is not an IPv4 address',
  })
  .refine((record) => record.type !== 'TXT' || txtStrings(record.answer).every(fitsTxtString), {
    path: ['answer'],
    message: 'holds a string of more than 255 bytes',
  })
  .refine((record) => HOST.test(record.host), { path: ['host'], message: 'is not a host name' });

/** Measured in bytes, as in DNS (RFC 1035, 3.3). */
const fitsTxtString = (text: string) => Buffer.byteLength(text) <= TXT_PIECE_BYTES;

const HOST = /^$|^@$|^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\*$/i;

export function recordRoutes(vendorRecords: NamecomRecords): Router {
  const router = Router();
  router.get('/domains/:name/records', (request, response) => {
    const { domain } = owned(vendorRecords, request.params.name);
    const { items, ...counts } = page(vendorRecords.records(domain), request);
    response.json({ ...counts, records: items.map(shownRecord) });
  });
  router.post('/domains/:name/records', (request, response) => {
    const { domain } = owned(vendorRecords, request.params.name);
    const record = toRecord(request, { id: 0, domain });
    const saved = { ...record, id: vendorRecords.nextId('record') };
    vendorRecords.saveRecord(saved);
    response.json(shownRecord(saved));
  });
  router.get('/domains/:name/records/:id', (request, response) => {
    response.json(shownRecord(kept(vendorRecords, request.params)));
  });
  router.put('/domains/:name/records/:id', (request, response) => {
    const record = toRecord(request, kept(vendorRecords, request.params));
    vendorRecords.saveRecord(record);
    response.json(shownRecord(record));
  });
  router.delete('/domains/:name/records/:id', (request, response) => {
    vendorRecords.deleteRecord(kept(vendorRecords, request.params).id);
    response.status(204).end();
  });
  return router;
}

function kept(vendorRecords: NamecomRecords, params: { name: string; id: string }): KeptRecord {
  const { domain } = owned(vendorRecords, params.name);
  const record = vendorRecords.record(Number(params.id));
  if (record === undefined || record.domain !== domain) throw refuse(404, 'Not Found');
  return record;
}

function toRecord(request: Request, { id, domain }: { id: number; domain: string }): KeptRecord {
  const body = parseBody(recordBody, request);
  const needsPriority = body.type === 'MX' || body.type === 'SRV';
  return {
    id,
    domain,
    host: body.host === '@' ? '' : body.host.toLowerCase(),
    type: body.type,
    answer: body.answer,
    ttl: body.ttl,
    priority: needsPriority ? (body.priority ?? 0) : undefined,
    changedAtMs: Date.now(),
  };
}

const shownRecord = (record: KeptRecord) => ({
  id: record.id,
  domainName: record.domain,
  host: record.host === '' ? null : record.host,
  fqdn: `${fqdnOf(record)}.`,
  type: record.type,
  answer: record.answer,
  ttl: record.ttl,
  ...(record.priority !== undefined && { priority: record.priority }),
});
