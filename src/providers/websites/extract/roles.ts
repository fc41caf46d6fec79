/** Mailboxes of a role rather than a person, as websites name them. */
import { isRoleAddress } from '../../../domain/email-validation/email-roles.ts';
import { brandOf } from './address.ts';
import { fold } from './page-kind.ts';

/** Names of small businesses' mailboxes that `isRoleAddress` does not have: trades, places. */
const TRADES = new Set(
  [
    'infos administration contacts hey customer customers sale work accountant reserve',
    'desk event catering dataprotection website online secretary secretarial manager',
    'studio clinic practice dental dentist hotel restaurant salon school company business',
    'main home volunteers volunteer sponsorship donations membership members export',
    'import logistics dispatch workshop warehouse tickets travel appointments appointment',
    'communications communication commerce einkauf personal dsb redaktion werkstatt',
    'termin reservierung reservierungen buchung buchungen veranstaltungen',
    'geschaeftsstelle geschäftsstelle gemeinde schule verein vorstand laden architekt',
    'hausverwaltung notar steuerberatung willkommen moin servus bienvenue rdv devis sav',
    'boutique agence cabinet mairie ecole magasin contacte informacao informacio',
    'administracio administracao vendes reserves atencioncliente clientes cliente correo',
    'ola oi recepcio oficina soporte suporte comunicacion comunicaciones contabilidad',
    'contabilidade compras taller gerencia direccion tienda loja prenotazione acquisti',
    'clienti negozio stampa studiolegale ciao pec bestellingen inkoop afspraak afspraken',
    'reserveren reserveringen facturen winkel praktijk welkom rezerwacja rezerwacje',
    'recepcja sklep kontakty rezervace recepce podpora kancelar ordinace uctarna predaj',
    'objednavka rezervacije prodaja narudzbe ured ordinacija rendeles titkarsag vanzari',
    'comenzi rezervari birou programari kundtjanst bokning tilaukset tarjoukset varaukset',
    'ajanvaraus bestilling klinik info-fi parduotuve uzsakymai muuk klient randevu',
    'rezervasyon siparis zakaz zakazy pochta sekretar priemnaya buh bron otdel snab',
    'toiawase otoiawase yoyaku eigyo soumu',
  ]
    .join(' ')
    .split(' '),
);

/** Whether `local` (of `local@domain`) names a role: alone, or with a place or number. */
export function isRole(local: string): boolean {
  const name = local.toLowerCase();
  if (isRoleAddress(name) || TRADES.has(name.replace(/\d+$/, ''))) return true;
  if (/service|reserv|kontakt|info(?![a-z])/.test(name)) return true;
  const parts = name.split(/[._+-]/);
  return (
    parts.length > 1 &&
    parts.some((part) => part.length > 2 && (TRADES.has(part) || isRoleAddress(part)))
  );
}

/** The names of a business, by its domain and the title of its page: letters only. */
export function businessNames(host: string, title: string): string[] {
  const parts = [brandOf(host), ...title.split(/\s[|–—·»:-]\s|[|»]/, 4)];
  return parts
    .map((part) => fold(part).replaceAll(/[^a-z0-9]/g, ''))
    .filter((name) => name.length >= SHORTEST);
}

/** Shorter names are part of too many words. */
const SHORTEST = 4;

/**
 * `bakerycorner@gmail.com` of "Bakery Corner": the mailbox of the business, not of a person.
 * `anna.berg@` of "Anna Berg" is still a person's: businesses rarely use a dot there.
 */
export function bearsName(local: string, names: string[]): boolean {
  const letters = local.replaceAll(/[^a-z0-9]/g, '').replace(/\d{1,4}$/, '');
  if (letters.length < SHORTEST || /^[a-z]+[._][a-z]+$/.test(local)) return false;
  return names.some((name) => name.startsWith(letters) || letters.startsWith(name));
}
