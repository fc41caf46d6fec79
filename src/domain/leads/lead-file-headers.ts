/** Usual headers of lead files, as `headerWord` writes them; the surest of each field first. */
import type { LeadFileField } from './lead-file-fields.ts';

const list = (...lines: string[]): readonly string[] => lines.join(' ').split(' ');

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Turkish. */
export const COLUMN_NAMES: Readonly<Record<LeadFileField, readonly string[]>> = {
  personFirstName: list(
    'personfirstname firstname givenname forename first vorname rufname prenom primernombre',
    'nomedibattesimo primeironome voornaam imie fornavn fornamn etunimi keresztnev jmeno ad isim',
  ),
  personLastName: list(
    'personlastname lastname surname familyname last nachname familienname zuname nomdefamille',
    'patronyme apellidos apellido cognome sobrenome apelido achternaam nazwisko etternavn efternavn',
    'efternamn sukunimi vezeteknev prijmeni soyad soyadi',
  ),
  personFullName: list(
    'personfullname fullname contactname personname contactperson leadname displayname',
    'vollstandigername vollername ansprechpartner kontaktperson vorundnachname vornamenachname',
    'nomcomplet nometprenom prenometnom nomprenom prenomnom nombrecompleto nombreyapellidos',
    'nomecompleto nomeecognome nomecognome volledigenaam imieinazwisko fulltnavn adsoyad adisoyadi',
  ),
  personRole: list(
    'personrole role jobtitle title position jobrole job designation occupation organizationtitle',
    'organization1title rolle funktion stelle jobtitel berufsbezeichnung berufstitel poste fonction',
    'titre titreduposte cargo puesto rol ruolo posizione qualifica funzione funcao functie',
    'functietitel stanowisko funkcja stilling befattning unvan gorev',
  ),
  personEmail: list(
    'personemail email emailaddress mail emailadresse mailadresse workemail businessemail',
    'contactemail primaryemail professionalemail leademail email1value email1 emailwork',
    'personalemail geschaftlicheemail adresseemail adressemail courriel adressecourriel',
    'correo correoelectronico direcciondecorreo direcciondecorreoelectronico emailcorreo',
    'indirizzoemail indirizzomail postaelettronica enderecodeemail emailadres adresemail epost',
    'epostadresse epostadress epostaadresi eposta sahkoposti',
  ),
  personPhone: list(
    'personphone directphone workdirectphone directdial mobilephone mobile mobilenumber cellphone',
    'cell phone phonenumber telephone telephonenumber tel workphone businessphone phone1value',
    'phone1 contactphone primaryphone otherphone homephone telefon telefonnummer telefonnr handy',
    'handynummer mobil mobilnummer mobiltelefon rufnummer durchwahl telephoneportable portable',
    'telportable numerodetelephone movil celular telefono telefonomovil numerodetelefono cellulare',
    'telefonocellulare telemovel telefone telefoonnummer telefoon mobiel numertelefonu',
    'telefonkomorkowy komorka mobilnr telefonnumero cep ceptelefonu',
  ),
  socialProfileUrl: list(
    'socialprofileurl personlinkedinurl linkedinurl linkedinprofileurl linkedinprofile linkedin',
    'linkedinlink personlinkedin profileurl profilelink socialprofile profillinkedin urllinkedin',
    'perfildelinkedin linkedinperson profilurl xing xingprofil xingurl',
  ),
  companyName: list(
    'companyname company organization organisation account accountname business businessname',
    'employer organizationname organization1name companynameforemails associatedcompany legalname',
    'firma firmenname unternehmen unternehmensname betrieb firmierung entreprise societe',
    'nomdelentreprise nomdelasociete raisonsociale organisme empresa nombredelaempresa',
    'nombreempresa compania razonsocial azienda societa nomeazienda ragionesociale ditta',
    'nomedaempresa razaosocial bedrijf bedrijfsnaam organisatie nazwafirmy przedsiebiorstwo',
    'virksomhed virksomhet bedrift foretag foretagsnamn yritys sirket sirketadi cegnev spolecnost',
  ),
  companyWebsite: list(
    'companywebsite website domain companydomain websiteurl companyurl web homepage webpage',
    'companydomainname webadresse internetseite internet webseite internetadresse siteweb site',
    'siteinternet sitioweb paginaweb web1 sitoweb sito siteempresa stronawww strona www hjemmeside',
    'hemsida webside websitesi url',
  ),
  companyPhone: list(
    'companyphone corporatephone officephone mainphone switchboard hqphone companyphonenumber',
    'firmentelefon zentrale telefonzentrale telephoneentreprise standard telefonoempresa',
    'telefonodelaempresa telefonoaziendale centralita centralino telefoneempresa',
  ),
  companyAddress: list(
    'companyaddress address streetaddress street businessstreet address1 addressline1 companystreet',
    'adresse anschrift strasse strassehausnummer firmenadresse rue adressepostale direccion calle',
    'domicilio indirizzo via endereco rua morada adres straat ulica gate gata adresa',
  ),
  companyCity: list(
    'companycity city town businesscity ort stadt firmenort ville commune localite ciudad localidad',
    'poblacion municipio citta comune cidade plaats stad woonplaats miasto miejscowosc by stadort sehir il',
  ),
  companyState: list(
    'companystate state stateregion region province county businessstate bundesland kanton land1',
    'departement provincia estado comunidadautonoma regione distrito provincie wojewodztwo fylke lan',
  ),
  companyCountryCode: list(
    'companycountrycode companycountry countrycode country countryregion businesscountryregion land',
    'landercode landerkennzeichen laenderkennzeichen staat pays codepays pais codigopais paese stato',
    'nazione kraj ulke zeme orszag',
  ),
  companyCategory: list(
    'companycategory category industry sector vertical branche wirtschaftszweig kategorie secteur',
    'secteurdactivite categorie industrie sectoractividad actividad industria categoria settore',
    'attivita setor branza bransch bransje sektor',
  ),
};

/** The first, the last or the full name, depending on the other columns. */
export const NAME_WORDS = list(
  'name nom nombre nome naam navn namn nimi nev person contact kontakt',
);
