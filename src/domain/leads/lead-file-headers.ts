/** Usual headers of lead files, as `headerWord` writes them; the surest of each field first. */
import { byWireName, headerList as list, LEAD_FIELDS } from './lead-fields.ts';
import type { LeadFileField } from './lead-file-fields.ts';

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Turkish. */
export const COLUMN_NAMES: Readonly<Record<LeadFileField, readonly string[]>> = {
  ...byWireName((field) => LEAD_FIELDS[field].headers),
  personFullName: list(
    'personfullname fullname contactname personname contactperson leadname displayname',
    'vollstandigername vollername ansprechpartner kontaktperson vorundnachname vornamenachname',
    'nomcomplet nometprenom prenometnom nomprenom prenomnom nombrecompleto nombreyapellidos',
    'nomecompleto nomeecognome nomecognome volledigenaam imieinazwisko fulltnavn adsoyad adisoyadi',
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
