/** What the authority does after it has answered: it looks at web servers and makes certificates, also after a restart. */
import type { SandboxCore } from '../core.ts';
import { forbidsUs } from './caa.ts';
import { lookAt } from './http-challenge.ts';
import type { Account, AcmeRecords, Order, Proof } from './records.ts';
import { requestedKey } from './requests.ts';
import { problem, type Problem } from './wire.ts';

/** World time: about what Let's Encrypt takes. */
const LOOKING_MS = 1_000;
const ISSUING_MS = 2_000;

const FAILED = problem(500, 'serverInternal', 'Error finalizing order');

export interface AcmeWork {
  look(proof: Proof): void;
  issue(order: Order): void;
  resume(): void;
}

export function createAcmeWork(core: SandboxCore, records: AcmeRecords): AcmeWork {
  const look = async ({ id }: Proof) => {
    await core.wait(LOOKING_MS);
    const proof = records.proof(id);
    if (core.closing.aborted || proof === undefined) return;
    const error = await lookAt(core, proof).catch(() => FAILED);
    if (core.closing.aborted) return;
    records.saveProof({ ...proof, status: error === undefined ? 'valid' : 'invalid', error });
  };
  const issue = async ({ id }: Order) => {
    await core.wait(ISSUING_MS);
    const order = records.order(id);
    if (core.closing.aborted || order?.request === undefined) return;
    const made = await certificateFor(core, order, records.accountById(order.accountId)!).catch(
      () => FAILED,
    );
    if (core.closing.aborted) return;
    records.saveOrder({
      ...order,
      ...(typeof made === 'string' ? { certificatePem: made } : { error: made }),
    });
  };
  return {
    look: (proof) => void look(proof),
    issue: (order) => void issue(order),
    resume() {
      for (const proof of records.proofs()) if (proof.status === 'processing') void look(proof);
      for (const order of records.orders()) {
        if (records.statusOf(order) === 'processing') void issue(order);
      }
    },
  };
}

async function certificateFor(
  core: SandboxCore,
  { name, request }: Order,
  account: Account,
): Promise<string | Problem> {
  if (request!.fails) return FAILED;
  if (forbidsUs(core.zone, name)) {
    return problem(403, 'caa', `Rechecking CAA for "${name}": CAA record prevents issuance`);
  }
  return core.ca.certify(await requestedKey(request!.csr, name, account), [name]);
}
