/** First and last names as files split them, with the company of the lead. */
type Name = [firstName: string, lastName: string, company: string | null];

/** One of them, or two of one name. */
export const OF_PEOPLE: Name[] = [
  ['Ann', 'Lee', 'Ann Lee LLC'],
  ['Joe', 'Smith', "Joe's Pizza & Grill – Downtown"],
  ['Anna & Tom', 'Weber', null],
  ['Anna', 'Smith', null],
  ['Anna', 'Smith', 'Smith & Sons Ltd'],
  ['Jean-Luc', "O'Neil", null],
  ['Jean - Luc', 'Picard', null],
  ['Anna Maria', 'Smith - Jones', null],
  ['Ana María', 'de la Cruz', null],
  ['John', 'Smith 3rd', null],
  ['Suresh', 'KG', null],
  ['Prasad', 'B.V.', 'Acme BV'],
  ['Aydın', 'Oy', null],
  ['Mohamed Ag', 'Intalla', null],
  ['Corey', 'Incandela', null],
  ['Dr. Ana', 'Co', null],
  ['Joe', 'Pizza', null],
  ['Hugh', 'House', 'House Hotel'],
  ["D'Angelo", 'Russell', null],
  ["Ta'Shea", "O's", null],
];

export const OF_BUSINESSES: Name[] = [
  ['Smith & Sons', 'Ltd', 'Smith & Sons'],
  ['Smith & Sons', 'Plumbing', null],
  ['Smith', '& Sons', null],
  ["Joe's Pizza & Grill", 'Downtown', "Joe's Pizza"],
  ["Joe's", 'Pizza & Grill', null],
  ["Joe's", 'Pizza', "Joe's Pizza & Grill – Downtown"],
  ['Joe’s', 'Pizza', null],
  ["Joe's Pizza", 'Downtown', null],
  ['Pizza', 'Hut', null],
  ['Hotel', 'Adler', 'Hotel Adler'],
  ["Joe's Pizza – Downtown", 'Berlin', null],
  ['Goldman', 'Sachs & Co.', null],
  ['Acme', 'GmbH', 'Acme'],
  ['Acme', 'GmbH', null],
  ['Acme', 'Plumbing, Inc.', null],
  ['Acme GmbH', 'Berlin', null],
  ['Siemens', 'AG', 'Siemens'],
  ['Acme', 'B.V.', 'Acme BV'],
  ['Studio 54', 'Berlin', null],
];
