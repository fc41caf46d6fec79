/** Sections of legal texts that name the business itself, and only seem to name others. */
import {
  IMPRESSUM,
  DATENSCHUTZ,
  KONTAKT,
  LEGAL,
  MENTIONS,
  AVISO,
  stranger,
  type Stranger,
} from './stranger-pages.ts';

export const OWN: Stranger[] = [
  stranger(
    IMPRESSUM,
    'a branch that the European platform for disputes stands beside',
    '<p>Büro Süd<br>Telefon {tel}</p><p>Die Kommission stellt eine Plattform bereit, zu finden unter https://{web}/odr, wir nehmen daran nicht teil.</p>',
    true,
  ),
  stranger(
    IMPRESSUM,
    'a branch with the site of the house',
    '<h3>Weitere Angaben</h3><p>Büro Süd<br>Tel. {tel}<br>www.ahornhof.test</p>',
    true,
  ),
  stranger(
    IMPRESSUM,
    'a branch',
    '<h3>Niederlassung Süd</h3><p>Ringweg 1<br>Telefon {tel}<br>filiale@ahornhof.test</p>',
    true,
  ),
  stranger(
    IMPRESSUM,
    'a member of a chamber',
    '<h3>Geschäftsführung</h3><p>Mitglied der Kammer sind alle Inhaber.</p><h3>Büro Süd</h3><p>Tel. {tel}</p>',
    true,
  ),
  stranger(
    DATENSCHUTZ,
    'who is responsible',
    '<h3>Verantwortliche Stelle</h3><p>Ahornhof GmbH<br>Telefon: {tel}<br>datenschutz@ahornhof.test</p>',
    true,
  ),
  stranger(
    DATENSCHUTZ,
    'an officer of the house',
    '<h3>Datenschutzbeauftragter</h3><p>Anna Berg, erreichbar unter dsb@ahornhof.test</p><h3>Kontakt</h3><p>{tel}</p>',
    true,
  ),
  stranger(
    MENTIONS,
    'the publisher',
    '<h2>Directeur de la publication</h2><p>Anne Hêtre<br>Tél. {tel}</p>',
    true,
  ),
  stranger(AVISO, 'the owner', '<h2>Titular</h2><p>Ahornhof SL, tel. {tel}</p>', true),
  stranger(
    KONTAKT,
    'an insurer that is the business',
    '<h3>Ihre Versicherung vor Ort</h3><p>Tel. {tel}</p>',
    true,
  ),
  stranger(
    KONTAKT,
    'a school of design',
    '<h3>Kurse für Webdesign und Fotografie</h3><p>Anmeldung: Tel. {tel}</p>',
    true,
  ),
  stranger(LEGAL, 'the office', '<h2>How to contact us</h2><p>Phone {tel}</p>', true),
];
