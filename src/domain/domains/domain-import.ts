/** Proof of ownership of a name: a text of ours in its DNS. Choice 64. */

/** A label of its own, so that nothing else at the domain is touched (RFC 8552). */
const LABEL = '_outreach-challenge';

/** The record that the owner publishes; it may be removed once the domain is active. */
export const ownershipProof = (domain: string, token: string) => ({
  type: 'TXT' as const,
  name: `${LABEL}.${domain}`,
  value: `outreach-domain-verification=${token}`,
});
