/** Croatian, Serbian (both scripts) and Slovene. */
import type { Phrases } from './phrases.ts';

export const southSlavic: Phrases = {
  isSpaced: true,
  subjects: [
    'automatski (?:odgovor|odgovori)|samodejni odgovor|automatski:|odsutnost\\w*|na (?:godišnjem odmoru|dopustu)|аутоматски одговор',
  ],
  away: [
    '(?:na|s) (?:godišnjem|godišnji|dopustu|odmoru|bolovanju|porodiljnom|porodniški\\w*|službenom put\\w*|letnem dopustu|službeni poti|bolniški\\w*)',
    '(?:nisam|nisem|neću biti|nećemo biti|ne bom) (?:u uredu|u kancelariji|na poslu|v pisarni|dostup\\w*|dosegljiv\\w*|prisotn\\w*)',
    '(?:odsutan|odsutna|odsoten|odsotna|одсутан|одсутна)|(?:на|годишњем) (?:годишњем |)одмору|нисам у канцеларији',
    '(?:ured|kancelarija|trgovina|pisarna|tvrtka|firma|podjetje) (?:je|će biti|ne radi|bo)~(?:zatvoren\\w*|zaprt\\w*|ne radi|do)',
    '(?:po povratku|kad se vratim|ob vrnitvi|po vrnitvi|vraćam se|vračam se)',
  ],
  left: [
    '(?:više ne radim|ne radim više|više ne radi|ne radi više|nisam više zaposlen\\w*|nije više zaposlen\\w*|ne delam več|ni več zaposlen\\w*|nisem več zaposlen\\w*|više nije u funkciji|више не радим)',
    '(?:adresa|naslov|sandučić|predal)~(?:se više ne koristi|više nije|ni več|se ne čita|nije aktivn\\w*)',
  ],
  received: [
    '(?:zaprimili|primili|prejeli|примили) smo~(?:poruk|upit|zahtjev|zahtev|sporočil|mail|vaš|mejl|порук|упит)\\w*',
    '(?:vaša|vaš|vaše) (?:poruka|upit|zahtjev|zahtev|sporočilo|zahtevek)~(?:zaprimljen|primljen|prejet|evidentiran|zabeležen)\\w*',
    '(?:odgovorit ćemo|odgovorićemo|javit ćemo|javićemo|odgovorili bomo|odgovorimo vam|odgovorili vam bomo)',
  ],
  automatic: [
    '(?:ovo je|to je) (?:automatsk|samodejn)\\w* (?:poruka|odgovor|sporočilo)|(?:ne odgovarajte|nemojte odgovarati) na ov\\w* (?:poruku|mail)|ne odgovarjajte na to',
  ],
  stop: [
    '(?:odjava|odjavi(?:te)? me|odjavite|odjavite nas|odjavi|stop|dosta|prekinite|briši(?:te)?|izbrišite|obrišite)(?: me| nas| molim| prosim)*|одјава|одјавите ме',
  ],
  optOut: [
    '(?:uklonite|obrišite|izbrišite|odjavite|maknite|skinite|isključite|odstranite|izpišite|izključite|ispišite|уклоните|обришите|одјавите|избришите)(?! (?:tačku|točku|privitek|prilog))',
    '(?:nemojte|prestanite|nehajte|prenehajte|dosta|немојте|престаните)~(?:pisati|slati|kontaktirati|mail|uznemiravati|pošiljati|pošiljanjem|писати|слати)',
    '(?:ne|nikad|nikoli) (?:mi |nas |me |nam )?(?:više |več )?(?:pišite|šaljite|kontaktirajte|pošiljajte|uznemiravajte|пишите ми|шаљите)',
    '(?:ne želim|ne želimo|ne zelim|nočem|neću|не желим)~(?:više|već|več|primati|dobivati|dobijati|prejemati|poruk|mail|sporočil|обавешт|примати)\\w*',
    '(?:gdpr|opća uredba|zvop)~(?:briš|bris|uklon|odstran)\\w*|(?:povlačim|umikam)~(?:privolu|soglasje|pristanak|saglasnost)|(?:brisanje|izbris)~(?:podataka|podatkov|adrese)',
    '(?:da|neka)~(?:me|nas) (?:brišete|obrišete|izbrišete|uklonite|maknete|skinete|ispišete|odjavite|izbrisati)',
    '(?:prosim|molim)~(?:odjavo|odjavu|brisanje|izbris|uklanjanje)',
  ],
  personal: [
    '(?:nismo|nisam|nisem) zainteres\\w*|ne zanima (?:me|nas)|već imamo|že imamo|koliko (?:košta|stane)|(?:nazovite|pozovite|pokličite) me|pošaljite (?:mi|nam)~(?:ponudu|cijen|ponudbo|cen)\\w*|vaš\\w* (?:ponuda|ponudba|proizvod|cijen)\\w*',
  ],
  talk: [
    '(?:možete li|mozete li|ali lahko|da li|imate li)|(?:hvala|može|važi|u redu|v redu|da|ne)\\b[,.!]|(?:imamo|trebamo|mislim|javit ću|javim se|proslijedit)\\b',
  ],
  keeps: [
    '(?:nazovite|pozovite|pokličite|javite se|oglasite se|pišite)~(?:me|nas|u |v |na jesen|jeseni|ponovno|spet)|zanima me|zainteresiran\\w*|radije (?:telefon|mail)',
  ],
  polite: [
    'hvala(?: lijepa| lepa| vam)?|molim(?: vas| lijepo| lepo)?|prosim(?: vas)?|pozdrav|lp|dobar dan|poštovani|spoštovani|s poštovanjem|lijep pozdrav|lep pozdrav|ne,? hvala',
  ],
  urgent: ['hitn\\w*|u slučaju|za hitne|nujn\\w*|v primeru'],
};
