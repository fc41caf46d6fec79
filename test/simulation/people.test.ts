/** Whom what a simulated person does concerns. */
import { expect, it } from 'vitest';
import { reachedLead } from './people.ts';

it('what a person wants concerns the lead of the message, also where that has begun anew elsewhere since', () => {
  expect(reachedLead({ lead_id: 7, former_lead_id: null })).toBe(7);
  // A message that was left behind has the negative id of its row.
  expect(reachedLead({ lead_id: -31, former_lead_id: 7 })).toBe(7);
  // The lead is deleted.
  expect(reachedLead({ lead_id: -31, former_lead_id: null })).toBe(-31);
});
