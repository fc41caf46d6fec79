/** `PUT /_sandbox/credits`: the credit left on our accounts at the vendors. */
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from './core.ts';
import { checked } from './control-api.ts';
import { openFinderAccount } from './finders/account.ts';
import { openRunRecords } from './apify/runs.ts';

/** US dollars at Apify, credits elsewhere. */
const creditsBody = z.strictObject({
  vendor: z.enum(['apify', 'hunter', 'apollo', 'reacher', 'zerobounce', 'anthropic', 'openai']),
  credits: z.number().min(0),
});

export function createCredits(core: SandboxCore): StandIn {
  const control = Router();
  control.put('/credits', (request, response) => {
    const { vendor, credits } = checked(creditsBody, request.body);
    // The accounts are in the journal, so any reader of it may change them.
    if (vendor === 'apify') openRunRecords(core).setCreditUsd(credits);
    else openFinderAccount(core.store, vendor).setLeft(credits);
    response.json({ vendor, credits });
  });
  return { name: 'credits', control };
}
