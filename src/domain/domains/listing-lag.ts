/** How late a registrar may list a name that it was asked for. */

/** An undo asks a person after some 33 minutes of attempts: it has to see the end of the lag before. */
const MOST_SECONDS = 1_800;

/**
 * Seconds from the last request on. A registrar without a list of orders (`remembersKeysMs`) shows nothing of a purchase
 * until it lists the name, so that this takes as long as a renewal.
 */
export function listingLagSeconds(
  { remembersKeysMs }: { remembersKeysMs?: number | undefined },
  config: { PROVIDER_LAG_SECONDS: number; RENEWAL_LAG_SECONDS: number },
): number {
  const { PROVIDER_LAG_SECONDS: lag, RENEWAL_LAG_SECONDS: renewalLag } = config;
  return remembersKeysMs ? Math.min(MOST_SECONDS, Math.max(lag, renewalLag)) : lag;
}
