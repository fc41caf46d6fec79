/** Where the generated businesses are: one café, dentist and roofer in each city. */
import type { LanguageCode } from './languages.ts';

export interface City {
  name: string;
  state: string;
  countryCode: string;
  language: LanguageCode;
  postalCode: string;
  lat: number;
  lng: number;
  /** Of café, dentist and roofer, in this order; so are the owners. */
  streets: string[];
  /** First and last name. */
  owners: [string, string][];
  dialling: string;
  /** A number as people there write it, but for its last two digits. */
  lines: string;
}

/**
 * Name | state | country | language | postal code | position | streets | owners | dialling code |
 * telephone numbers. Where a country keeps numbers for films, these are of them; 01 to 03 are
 * telephones, 11 to 13 fax.
 */
const TABLE = `
Berlin | Berlin | DE | de | 10119 | 52.529,13.401 | Torstraße 12; Lindenallee 4; Am Markt 31 | Anna Morgenrot; Jonas Lindenhof; Petra Ziegler | 49 | 030 23125 1..
München | Bayern | DE | de | 80331 | 48.137,11.575 | Isarweg 9; Rosenstraße 17; Kapellenweg 2 | Lukas Bachmair; Eva Seidl; Franz Huberbauer | 49 | 089 99998 2..
Wien | Wien | AT | de | 1010 | 48.208,16.373 | Ringgasse 5; Neubaugasse 40; Schlossweg 8 | Clara Praterstern; Max Grinzinger; Ida Donauer | 43 | 01 55503..
Paris | Île-de-France | FR | fr | 75011 | 48.859,2.38 | 14 rue des Lilas; 3 avenue du Parc; 27 rue Haute | Camille Beaumont; Hugo Lefranc; Inès Toiturier | 33 | 01 99 00 14 ..
Lyon | Auvergne-Rhône-Alpes | FR | fr | 69002 | 45.757,4.832 | 8 quai du Rhône; 19 rue Neuve; 5 place du Marché | Jules Croixrousse; Zoé Marchand; Théo Ardoise | 33 | 04 65 71 15 ..
Madrid | Comunidad de Madrid | ES | es | 28004 | 40.424,-3.701 | Calle del Sol 11; Calle Mayor 25; Plaza Nueva 6 | Lucía Ferrández; Diego Ruizalba; Marta Tejeda | 34 | 915 550 4..
Barcelona | Cataluña | ES | es | 08001 | 41.382,2.17 | Carrer del Mar 7; Carrer Gran 33; Passeig Alt 12 | Pau Vilanova; Núria Serrat; Jordi Teulada | 34 | 935 550 5..
Milano | Lombardia | IT | it | 20121 | 45.469,9.187 | Via dei Fiori 10; Corso Nuovo 22; Via Alta 3 | Giulia Navigli; Marco Dentoni; Elena Tettamanti | 39 | 02 5550 61..
Roma | Lazio | IT | it | 00184 | 41.893,12.495 | Via del Colle 18; Piazza Grande 4; Via Lunga 51 | Sofia Trastevere; Luca Aurelio; Chiara Coppi | 39 | 06 5550 71..
Amsterdam | Noord-Holland | NL | nl | 1012 AB | 52.373,4.893 | Grachtweg 15; Tulpstraat 28; Havenkade 1 | Sanne Jordaan; Daan Vermolen; Femke Dakstra | 31 | 020 555 81..
Lisboa | Lisboa | PT | pt | 1100-148 | 38.711,-9.139 | Rua do Rio 20; Rua Direita 13; Largo Novo 2 | Beatriz Alfama; Tiago Belmonte; Rita Telheiro | 351 | 215 550 9..
Warszawa | Mazowieckie | PL | pl | 00-031 | 52.232,21.016 | ul. Wiślana 6; ul. Długa 44; ul. Polna 9 | Zofia Wiślicka; Jakub Zębowski; Hanna Dachowska | 48 | 22 555 10 ..
Stockholm | Stockholms län | SE | sv | 111 22 | 59.333,18.062 | Strandgatan 3; Björkvägen 16; Hamngränd 5 | Elsa Söderholm; Oskar Tandberg; Maja Taklund | 46 | 08-465 004 ..
Praha | Praha | CZ | cs | 110 00 | 50.083,14.424 | Vltavská 12; Dlouhá 21; Kamenná 7 | Tereza Vltavová; Tomáš Zubatý; Jana Střechová | 420 | 225 550 1..
London | Greater London | GB | en | E1 6AN | 51.515,-0.072 | 14 Brick Row; 2 Elm Gardens; 88 High Street | Grace Whitechapel; Oliver Harding; Amelia Slater | 44 | 020 7946 01..
Austin | Texas | US | en | 78701 | 30.269,-97.742 | 501 Congress Row; 77 Barton Lane; 1200 Lamar Court | Mason Barrelhouse; Ava Molarsen; Wyatt Shingleton | 1 | (512) 555-01..
`;

export const CITIES: City[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [name, state, countryCode, language, postalCode, position, streets, owners, ...last] =
      row.split(' | ') as [string, string, string, LanguageCode, ...string[]];
    const [lat = 0, lng = 0] = position!.split(',').map(Number);
    const [dialling = '', lines = ''] = last;
    return {
      name,
      state,
      countryCode,
      language,
      postalCode: postalCode!,
      lat,
      lng,
      streets: streets!.split('; '),
      owners: owners!.split('; ').map((owner) => owner.split(' ') as [string, string]),
      dialling,
      lines: lines.replace('..', ''),
    };
  });
