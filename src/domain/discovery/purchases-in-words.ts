/** What searches for leads buy and where, for people. The settings have no prices of these vendors: no sum is named. */

/** As people know the vendors of each port; an installation uses some of them. */
export const SEARCH_VENDORS = {
  adLibraries: { meta: 'Meta', apify: 'Apify' },
  contactFinders: { hunter: 'Hunter', apollo: 'Apollo' },
  mapsProviders: { apify: 'Apify', places: 'Google' },
  emailVerifiers: { reacher: 'Reacher', zerobounce: 'ZeroBounce' },
} as const;

const namesOf = (vendors: Readonly<Record<string, string>>): string =>
  Object.values(vendors).join(' or ');

const { adLibraries, contactFinders, mapsProviders, emailVerifiers } = SEARCH_VENDORS;

const CHECKS = `checks of addresses at an e-mail verifier (${namesOf(emailVerifiers)})`;

const WHO_PAYS =
  'The wallet is not charged; the accounts of the operator there are, by an amount that is not known here: the settings have no prices of these vendors.';

/** Of a discovery. */
export const DISCOVERY_PURCHASES = `Bought are ads at an ad library (${namesOf(adLibraries)}), contacts at a finder (${namesOf(contactFinders)}) for companies whose own websites have none, and ${CHECKS}. ${WHO_PAYS}`;

/** Of a search of the map, where found addresses are verified and where not. */
export function mapPurchases({ verifyEmails }: { verifyEmails: boolean }): string {
  const places = `places at a map search (${namesOf(mapsProviders)})`;
  return verifyEmails
    ? `The addresses found there are verified, too. Bought are ${places} and ${CHECKS}. ${WHO_PAYS}`
    : `The addresses found there are not verified. Bought are ${places}. ${WHO_PAYS}`;
}

/** What a discovery that was paused does from now on. */
export const goesOnInWords = (one: {
  searchTerm: string;
  leadCount: number;
  foundLeads: number;
}): string =>
  `Goes on with the search for "${one.searchTerm}" and looks up contacts until ${one.leadCount} people are found: ${Math.max(0, one.leadCount - one.foundLeads)} more at most. ${DISCOVERY_PURCHASES}`;
