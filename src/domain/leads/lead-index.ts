/** Leads of an account by their matching keys, while an import is planned. */
import { addToIndex, type PlannedLead } from './lead-rows.ts';

/** Leads by their keys; the oldest first, new ones last. */
export interface LeadIndex {
  byEmail: Map<string, PlannedLead[]>;
  byProfile: Map<string, PlannedLead[]>;
  byPhone: Map<string, PlannedLead[]>;
  byName: Map<string, PlannedLead[]>;
}

export function indexLeads(leads: readonly PlannedLead[]): LeadIndex {
  const index: LeadIndex = {
    byEmail: new Map(),
    byProfile: new Map(),
    byPhone: new Map(),
    byName: new Map(),
  };
  for (const lead of leads) addLead(index, lead);
  return index;
}

/** Safe to repeat for a lead that has got more keys. */
export function addLead(index: LeadIndex, lead: PlannedLead): void {
  if (lead.emailKey !== null) addToIndex(index.byEmail, lead.emailKey, lead);
  if (lead.profileKey !== null) addToIndex(index.byProfile, lead.profileKey, lead);
  if (lead.phoneKey !== null) addToIndex(index.byPhone, lead.phoneKey, lead);
  if (lead.nameKey !== '') addToIndex(index.byName, lead.nameKey, lead);
}
