/**
 * The fields of a lead that users give, each declared here only: what they are called on the wire, in tables
 * and in files, and what they may hold. A plain field (`text`) needs nothing else but its column.
 */

interface Declared {
  /** In requests, answers, exports and the mapping of files. */
  wire: string;
  /** Of the table `leads`. */
  column: string;
  /** Usual headers of files, as `headerWord` writes them, the surest first; in ten languages. */
  headers: readonly string[];
}

/**
 * `name`: never null. `text`: a plain field, which tells nobody apart, of at most `max` characters; requests may give
 * only what `accepts` it, files anything: a row is not refused for it.
 */
type LeadFieldShape = Declared &
  (
    | { kind: 'text'; max: number; accepts?: 'timezone' }
    | { kind: 'name' | 'email' | 'phone' | 'webAddress' }
  );

/** `'a b', 'c'` -> `['a', 'b', 'c']`. */
export const headerList = (...lines: string[]): readonly string[] => lines.join(' ').split(' ');

/** By their names in the program, in the order of the wire. */
export const LEAD_FIELDS = {
  firstName: {
    wire: 'personFirstName',
    column: 'first_name',
    kind: 'name',
    headers: headerList(
      'personfirstname firstname givenname forename first vorname rufname prenom primernombre',
      'nomedibattesimo primeironome voornaam imie fornavn fornamn etunimi keresztnev jmeno ad isim',
    ),
  },
  lastName: {
    wire: 'personLastName',
    column: 'last_name',
    kind: 'name',
    headers: headerList(
      'personlastname lastname surname familyname last nachname familienname zuname nomdefamille',
      'patronyme apellidos apellido cognome sobrenome apelido achternaam nazwisko etternavn efternavn',
      'efternamn sukunimi vezeteknev prijmeni soyad soyadi',
    ),
  },
  role: {
    wire: 'personRole',
    column: 'role',
    kind: 'text',
    max: 255,
    headers: headerList(
      'personrole role jobtitle title position jobrole job designation occupation organizationtitle',
      'organization1title rolle funktion stelle jobtitel berufsbezeichnung berufstitel poste fonction',
      'titre titreduposte cargo puesto rol ruolo posizione qualifica funzione funcao functie',
      'functietitel stanowisko funkcja stilling befattning unvan gorev',
    ),
  },
  timezone: {
    wire: 'personTimezone',
    column: 'timezone',
    kind: 'text',
    max: 64,
    accepts: 'timezone',
    headers: headerList(
      'persontimezone timezone timezonename leadtimezone contacttimezone zeitzone fuseauhoraire',
      'zonahoraria husohorario fusoorario fusohorario tijdzone strefaczasowa tidszon tidszone',
      'aikavyohyke idozona casovepasmo saatdilimi',
    ),
  },
  email: {
    wire: 'personEmail',
    column: 'email',
    kind: 'email',
    headers: headerList(
      'personemail email emailaddress mail emailadresse mailadresse workemail businessemail',
      'contactemail primaryemail professionalemail leademail email1value email1 emailwork',
      'personalemail geschaftlicheemail adresseemail adressemail courriel adressecourriel',
      'correo correoelectronico direcciondecorreo direcciondecorreoelectronico emailcorreo',
      'indirizzoemail indirizzomail postaelettronica enderecodeemail emailadres adresemail epost',
      'epostadresse epostadress epostaadresi eposta sahkoposti',
    ),
  },
  phone: {
    wire: 'personPhone',
    column: 'phone',
    kind: 'phone',
    headers: headerList(
      'personphone directphone workdirectphone directdial mobilephone mobile mobilenumber cellphone',
      'cell phone phonenumber telephone telephonenumber tel workphone businessphone phone1value',
      'phone1 contactphone primaryphone otherphone homephone telefon telefonnummer telefonnr handy',
      'handynummer mobil mobilnummer mobiltelefon rufnummer durchwahl telephoneportable portable',
      'telportable numerodetelephone movil celular telefono telefonomovil numerodetelefono cellulare',
      'telefonocellulare telemovel telefone telefoonnummer telefoon mobiel numertelefonu',
      'telefonkomorkowy komorka mobilnr telefonnumero cep ceptelefonu',
    ),
  },
  socialProfileUrl: {
    wire: 'socialProfileUrl',
    column: 'social_profile_url',
    kind: 'webAddress',
    headers: headerList(
      'socialprofileurl personlinkedinurl linkedinurl linkedinprofileurl linkedinprofile linkedin',
      'linkedinlink personlinkedin profileurl profilelink socialprofile profillinkedin urllinkedin',
      'perfildelinkedin linkedinperson profilurl xing xingprofil xingurl',
    ),
  },
} as const satisfies Record<string, LeadFieldShape>;

export type LeadFields = typeof LEAD_FIELDS;
export type LeadField = keyof LeadFields;
export type LeadWireName = LeadFields[LeadField]['wire'];
export type PlainField = {
  [Field in LeadField]: LeadFields[Field]['kind'] extends 'text' ? Field : never;
}[LeadField];

export type PlainColumn = LeadFields[PlainField]['column'];

const FIELDS = Object.keys(LEAD_FIELDS) as LeadField[];

export const PLAIN_FIELDS: readonly PlainField[] = FIELDS.filter(
  (field): field is PlainField => LEAD_FIELDS[field].kind === 'text',
);

/** Something of each field, by its name in the program. */
export const byName = <Value>(valueOf: (field: LeadField) => Value): Record<LeadField, Value> =>
  collect(FIELDS, (field) => field, valueOf);

/** By its name on the wire, in the order there. */
export const byWireName = <Value>(
  valueOf: (field: LeadField) => Value,
): Record<LeadWireName, Value> => collect(FIELDS, (field) => LEAD_FIELDS[field].wire, valueOf);

/** Of plain fields only. */
export const byPlainName = <Value>(
  valueOf: (field: PlainField) => Value,
): Record<PlainField, Value> => collect(PLAIN_FIELDS, (field) => field, valueOf);

export const byPlainColumn = <Value>(
  valueOf: (field: PlainField) => Value,
): Record<PlainColumn, Value> =>
  collect(PLAIN_FIELDS, (field) => LEAD_FIELDS[field].column, valueOf);

function collect<Field, Key extends string, Value>(
  fields: readonly Field[],
  keyOf: (field: Field) => Key,
  valueOf: (field: Field) => Value,
): Record<Key, Value> {
  const values = {} as Record<Key, Value>;
  for (const field of fields) values[keyOf(field)] = valueOf(field);
  return values;
}
