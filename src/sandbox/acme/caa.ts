/** Whether the names' owners let us issue (RFC 8659): CAA records of the name, else of what it is below. */
import { SANDBOX_ISSUER } from '../acme.ts';
import type { Zone, ZoneRecord } from '../zone.ts';

export function forbidsUs(zone: Zone, name: string): boolean {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const { records } = zone.lookup(labels.slice(from).join('.'), 'CAA');
    const relevant = records.filter((record) => record.type === 'CAA').map(propertyOf);
    if (relevant.length > 0) return !isAllowed(relevant);
  }
  return false;
}

interface Property {
  isCritical: boolean;
  tag: string;
  value: string;
}

/** `0 issue "ca.example; account=1"`; critical tags that are not understood forbid everything. */
function propertyOf({ value }: ZoneRecord): Property {
  const [, flags = '0', tag = '', text = ''] = /^(\d+) (\w+) "?([^"]*)"?$/.exec(value) ?? [];
  return { isCritical: Number(flags) >= 128, tag: tag.toLowerCase(), value: text };
}

const KNOWN = ['issue', 'issuewild', 'iodef'];

function isAllowed(relevant: readonly Property[]): boolean {
  if (relevant.some(({ isCritical, tag }) => isCritical && !KNOWN.includes(tag))) return false;
  const issuers = relevant.filter(({ tag }) => tag === 'issue');
  return (
    issuers.length === 0 ||
    issuers.some(({ value }) => value.split(';', 1)[0]!.trim().toLowerCase() === SANDBOX_ISSUER)
  );
}
