/**
 * Checks every call that a vendor of the sandbox received, and its answer, against the vendor's spec.
 */
import { loadProviderSpec, type Deviation } from './provider-spec.ts';
import type { MailWorld } from '../mail/mail-world.ts';

interface SeenCall {
  method: string;
  path: string;
  body: unknown;
  status: number | null;
  answer: unknown;
  fault?: string;
}

/**
 * The problems as text (empty = none) and how many calls were checked. Undefined when the spec file is
 * missing.
 */
export async function checkCalls(
  world: MailWorld,
  vendor: string,
  spec: { file: string; deviations: Deviation[] },
): Promise<{ problems: string[]; calls: number } | undefined> {
  const rules = loadProviderSpec(spec.file, spec.deviations);
  if (rules === undefined) return undefined;
  const { body } = await world.control('GET', `/requests?vendor=${vendor}`);
  const calls = (body as { requests: SeenCall[] }).requests;
  const problems = calls.flatMap((call) => [
    ...rules.validateRequest(call.method, call.path, call.body),
    ...(call.status === null
      ? []
      : rules.validateResponse(call.method, call.path, call.status, call.answer)),
  ]);
  return { problems: [...new Set(problems)], calls: calls.length };
}
