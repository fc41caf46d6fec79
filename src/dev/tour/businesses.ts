/** Some businesses that exist for one tour only: websites, ads, map entries and known people. */
import { control } from './client.ts';
import type { Tour } from './tour.ts';

export interface Business {
  name: string;
  host: string;
  /** The page with the address, and its form; null: only the contact finders know a person. */
  contact: { path: string; email: string; html: string } | null;
}

/** A word that occurs only in one step's ads and map entries. */
export const wordOf = (tour: Tour, step: 'ads' | 'map') =>
  `${tour.domain.replace(/\.com$/, '').replace('-', '')}${step}`;

/** Creates them; repeating it changes nothing. */
export async function openBusinesses(tour: Tour, word: string): Promise<Business[]> {
  const all = businesses(word);
  for (const business of all) {
    await control(tour, 'PUT', `/sites/${business.host}`, { pages: pagesOf(business) });
  }
  const places = all.map((business, n) => placeOf(business, word, n));
  await control(tour, 'PUT', '/places', { places });
  const ads = all.map((business, n) => adOf(business, word, n));
  await control(tour, 'PUT', '/ads', { ads });
  const contacts = all
    .filter(({ contact }) => contact === null)
    .map(({ host }) => ({
      domain: host,
      firstName: 'Nora',
      lastName: 'Lind',
      email: `nora.lind@${host}`,
      position: 'Owner',
      confidence: 95,
    }));
  await control(tour, 'PUT', '/contacts', { contacts });
  return all;
}

function businesses(word: string): Business[] {
  const host = (name: string) => `${name}-${word}.test`;
  const [cafe, dentist, roofer, studio] = ['cafe', 'zahnarzt', 'toiture', 'studio'].map(host);
  return [
    {
      name: `Café Mona ${word}`,
      host: cafe!,
      contact: {
        path: '/kontakt',
        email: `mona.weber@${cafe}`,
        html: `<a href="mailto:mona.weber@${cafe}">Mona Weber</a>, Telefon 030 123456`,
      },
    },
    {
      name: `Zahnarzt Yilmaz ${word}`,
      host: dentist!,
      contact: {
        path: '/impressum',
        email: `ayse.yilmaz@${dentist}`,
        html: `E-Mail: ayse.yilmaz [at] ${dentist!.replace('.test', ' [dot] test')}`,
      },
    },
    {
      name: `Toiture Martin ${word}`,
      host: roofer!,
      contact: {
        path: '/contact',
        email: `luc.martin@${roofer}`,
        html: `Courriel : luc.martin&#64;${roofer}`,
      },
    },
    { name: `Studio Lind ${word}`, host: studio!, contact: null },
  ];
}

function pagesOf({ name, contact }: Business) {
  const link = contact === null ? '' : `<a href="${contact.path}">Kontakt</a>`;
  const page = (body: string) => ({
    body: `<!doctype html><html><head><title>${name}</title></head><body><h1>${name}</h1>${body}</body></html>`,
    contentType: 'text/html; charset=utf-8',
  });
  const decoys = '<img src="logo@2x.png" alt=""><p>Template: your@email.com</p>';
  return {
    '/': page(`${decoys}<nav>${link}</nav>`),
    ...(contact !== null && { [contact.path]: page(`<p>${contact.html}</p>`) }),
  };
}

const placeOf = ({ name, host }: Business, word: string, n: number) => ({
  placeId: `ChIJ${word}${n}`,
  title: name,
  categoryName: 'Business',
  address: `Hauptstraße ${n + 1}, 10115 Berlin`,
  city: 'Berlin',
  postalCode: '10115',
  countryCode: 'DE',
  website: `https://${host}/`,
  phone: null,
  totalScore: 4.5,
  reviewsCount: 10 + n,
  url: `https://maps.example/place/${word}${n}`,
  searchString: word,
});

const adOf = ({ name, host }: Business, word: string, n: number) => ({
  id: `${word}${n}`,
  page_id: `page-${word}-${n}`,
  page_name: name,
  ad_creative_bodies: [`${word}: come and see us`],
  ad_creative_link_captions: [host],
  countries: ['DE'],
});
