/** Rules of firewalls: what the vendor takes, and which connections they let through. */
import { z } from 'zod';

const addresses = z.array(z.string().min(1)).max(100).default([]);

export const ruleShape = z
  .object({
    direction: z.enum(['in', 'out']),
    protocol: z.enum(['tcp', 'udp', 'icmp', 'esp', 'gre']),
    port: z
      .string()
      .regex(/^(any|\d{1,5}(-\d{1,5})?)$/, 'must be a port, a range or any')
      .nullish()
      .transform((port) => port ?? null),
    source_ips: addresses,
    destination_ips: addresses,
    description: z.string().max(255).nullish(),
  })
  .refine((rule) => rule.direction === 'out' || rule.source_ips.length > 0, 'needs source_ips')
  .refine(
    (rule) => rule.direction === 'in' || rule.destination_ips.length > 0,
    'needs destinations',
  )
  .refine(
    ({ protocol, port }) => ['tcp', 'udp'].includes(protocol) === (port !== null),
    'a port is needed for tcp and udp, and only for them',
  );

export type Rule = z.infer<typeof ruleShape>;

export type Target =
  | { type: 'server'; server: { id: number } }
  | { type: 'label_selector'; label_selector: { selector: string } };

export interface Firewall {
  id: number;
  name: string;
  labels: Record<string, string>;
  rules: Rule[];
  created: string;
  targets: Target[];
}

/**
 * Without a rule for it nothing comes in. The callers of this world come from anywhere: a rule for some
 * addresses does not let them in.
 */
export const letsThrough = (rules: readonly Rule[], port: number): boolean =>
  rules.some(
    (rule) =>
      rule.direction === 'in' &&
      rule.protocol === 'tcp' &&
      rule.source_ips.includes('0.0.0.0/0') &&
      holds(rule.port, port),
  );

function holds(range: string | null, port: number): boolean {
  if (range === 'any') return true;
  const [from = 0, to = from] = (range ?? '').split('-').map(Number);
  return port >= from && port <= to;
}
