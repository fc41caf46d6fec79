/**
 * Advertisers, sites and people for a discovery of a given size, added through the sandbox's control
 * API.
 */

/** Calls the control API; throws on anything but 2xx. */
export type ControlApi = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

export const openControlApi =
  (sandbox: string): ControlApi =>
  async <Answer>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${sandbox}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text ? JSON.parse(text) : undefined) as Answer;
  };

const BATCH = 500;

export interface Supply {
  searchTerm: string;
  companies: number;
  /** Addresses that belong to a person: the most leads that can be found. */
  people: number;
  /** Ads, visits, questions to finders and people in a discovery of all of them. */
  work: number;
}

/**
 * Every other company advertises in Germany (Meta's archive has it), the others in the US (the actor
 * has them); some twice. A fifth has a site that names a person; Hunter knows those of the next two
 * fifths, only Apollo those of the fourth; no finder knows the last. Some addresses are invalid.
 */
export async function supply(control: ControlApi, leads: number, name: string): Promise<Supply> {
  const companies = Math.ceil((leads * 5) / 4 / 0.93) + 20;
  const searchTerm = `espresso ${name}`;
  let people = 0;
  for (let from = 0; from < companies; from += BATCH) {
    const part = Array.from({ length: Math.min(BATCH, companies - from) }, (_, i) => from + i);
    await control('PUT', '/ads', { ads: part.flatMap((n) => adsOf(n, name, searchTerm)) });
    const contacts = part.flatMap((n) => contactsOf(n, name));
    people += contacts.length;
    if (contacts.length > 0) await control('PUT', '/contacts', { contacts });
    for (const n of part.filter((one) => kindOf(one) === 'site')) {
      const { valid, pages } = siteOf(n, name);
      if (valid) people += 1;
      await control('PUT', `/sites/${domainOf(n, name)}`, { pages });
    }
  }
  // Per company somewhat more than one ad, a visit, somewhat more than one question, and usually a
  // person.
  return { searchTerm, companies, people, work: Math.floor(companies * 3.3 + people) };
}

const KINDS = ['site', 'hunter', 'hunter', 'apollo', 'nobody'] as const;
const kindOf = (n: number) => KINDS[n % KINDS.length]!;
const domainOf = (n: number, name: string) => `roaster-${name}-${n}.test`;

function adsOf(n: number, name: string, searchTerm: string) {
  const ad = (id: string) => ({
    id,
    page_id: `page-${name}-${n}`,
    page_name: `Roaster ${name} ${n}`,
    ad_creative_bodies: [`Finest ${searchTerm}`],
    ad_creative_link_captions: [domainOf(n, name)],
    countries: [n % 2 === 0 ? 'DE' : 'US'],
  });
  return n % 7 === 0 ? [ad(`${name}${n}a`), ad(`${name}${n}b`)] : [ad(`${name}${n}a`)];
}

function contactsOf(n: number, name: string) {
  const kind = kindOf(n);
  if (kind === 'site' || kind === 'nobody') return [];
  const domain = domainOf(n, name);
  return [
    {
      domain,
      firstName: 'Ada',
      lastName: `Number${n}`,
      email: `ada@${domain}`,
      position: 'Owner',
      confidence: 90,
      // Apollo knows all of them: it is asked where it is unknown whether Hunter charged.
      finders: kind === 'apollo' ? ['apollo'] : ['hunter', 'apollo'],
    },
  ];
}

function siteOf(n: number, name: string) {
  const valid = n % 8 !== 0;
  const email = `${valid ? 'bo' : 'invalid-bo'}@${domainOf(n, name)}`;
  const body = `<html><body><h1>Roaster</h1><a href="mailto:${email}">${email}</a></body></html>`;
  return { valid, pages: { '/': { body, contentType: 'text/html; charset=utf-8' } } };
}
