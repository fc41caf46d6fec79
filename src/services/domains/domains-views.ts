/** Domains as clients see them: the row, its newest renewal, and what proves an import. */
import type { Context } from '../../context.ts';
import { findLatestRenewals, type DomainRenewal } from '../../db/domains/domain-renewals.ts';
import type { Domain } from '../../db/domains/domains.ts';
import { ownershipProof } from '../../domain/domains/domain-import.ts';

export interface DomainView {
  domain: Domain;
  renewal: DomainRenewal | null;
  /** Set only while the proof is awaited. */
  verification: ReturnType<typeof ownershipProof> | null;
}

export async function viewDomains(
  { db }: Pick<Context, 'db'>,
  domains: readonly Domain[],
): Promise<DomainView[]> {
  const renewals = await findLatestRenewals(
    db,
    domains.map(({ id }) => id),
  );
  return domains.map((domain) => ({
    domain,
    renewal: renewals.get(domain.id) ?? null,
    verification: verificationOf(domain),
  }));
}

export async function viewDomain(
  context: Pick<Context, 'db'>,
  domain: Domain,
): Promise<DomainView> {
  const [view] = await viewDomains(context, [domain]);
  return view!;
}

const verificationOf = ({ name, status, verification_token: token }: Domain) =>
  status === 'unverified' && token !== null ? ownershipProof(name, token) : null;
