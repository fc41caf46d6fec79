/** Letters of people who want no more of ours, in plain words of ten languages. */
import type { LetterView } from './letter.ts';

/** What is longer says more than that; a person reads it. */
const MAX_CHARS = 400;
/** As the whole letter. */
const MAX_WORDS_ALONE = 6;

/** The whole text, but for politeness. */
const ALONE =
  /^(?:hi|hello|hallo|bonjour|hola|ciao|olá|dag|dzień dobry)?[\s,.!]*(?:please|bitte|s['’]il vous pla[iî]t|merci de|svp|por favor|per favore|gelieve|proszę)?[\s,:]*(?:stop(?: it| now| this| e-?mailing(?: me| us)?)?|unsubscribe(?: me| us)?|remove(?: me| us)?|opt[ -]?out|take me off|delete me|no more|leave me alone|abmelden|austragen|abbestellen|mich (?:bitte )?(?:abmelden|austragen|löschen|entfernen)|désabonner|désinscrire|désinscription|désabonnement|me désinscrire|me désabonner|stop pub|baja|dar(?:me)? de baja|cancelar(?: suscripción)?|desuscribir(?:me)?|cancella(?:mi|temi|tion)?|cancellazione|disiscriv(?:imi|etemi|ere)|rimuov(?:imi|etemi)|remover|remova-me|descadastr(?:ar|e-me)|cancelar inscrição|sair da lista|uitschrijven|afmelden|schrijf (?:me|mij) uit|verwijder (?:me|mij)|wypisz(?: mnie)?|wypisać|rezygnuję|usuń mnie|proszę o usunięcie|avregistrera|avsluta)(?:[\s,]*(?:please|bitte|merci|svp|gracias|grazie|obrigad[oa]|dank u|bedankt|dziękuję|thanks|thank you))?[\s.!]*$/iu;

/** A sentence that asks for it; each names who or which list. */
const SENTENCES = [
  /\b(?:please |kindly |can you |could you )?(?:remove|delete|take|drop|exclude) (?:me|us|my (?:e-?mail|address|name|data|contact|details)|our (?:e-?mail|address|company)|this (?:e-?mail|address))\b[^?]{0,60}(?:list|database|mailing|e-?mails?|system|off|crm|campaign|records|please|immediately|$|[.!])/iu,
  /\b(?:please |kindly |i want to |i['’]d like to |i would like to )unsubscribe\b|\bunsubscribe (?:me|us|my|this)\b|\b(?:stop|quit|cease) (?:e-?mailing|contacting|spamming|writing|messaging|sending)\b(?: to)?(?: me| us| these| this| any| your|[.!]|$)|\b(?:do not|don['’]t|never) (?:e-?mail|contact|write|message|spam)(?: to)? (?:me|us)\b|\bno (?:more|further) (?:e-?mails?|messages|contact|correspondence)\b|\bopt (?:me|us) out\b|\btake me off\b/iu,
  /\b(?:nehmen|streichen|entfernen|löschen|tragen) sie (?:mich|uns|meine|unsere|diese)\b|\b(?:mich|uns|meine (?:e-?mail|adresse|daten|mailadresse)|unsere (?:adresse|daten)|diese adresse)\b[^.?]{0,50}(?:austragen|löschen|entfernen|abmelden|streichen)|\bkeine (?:weiteren|werbe-?)\s*(?:e-?mails?|mails|nachrichten|werbung)|\b(?:schreiben|kontaktieren|mailen) sie (?:mir|mich|uns) (?:bitte )?(?:nicht|nie)/iu,
  /\b(?:me |nous )?(?:désinscrire|désabonner|retirer|supprimer|radier)\b[^.?]{0,40}(?:liste|base|fichier|adresse|coordonnées|mailing|diffusion|envois?|contacts)|\bplus (?:de mails?|d['’]e-?mails?|d['’]envois?)\b|\b(?:désinscrivez|désabonnez|retirez|supprimez)[- ](?:moi|nous|mon|mes|notre)|\bne (?:plus|pas) (?:me|nous) (?:contacter|écrire|envoyer|solliciter)|\bne (?:m['’]|me |nous )(?:envoyez|écrivez|contactez) plus|\bplus recevoir\b/iu,
  /\b(?:darme|dame|denme|dénme|quiero darme|dar) de baja\b|\b(?:elimin|borr|quit|sac)(?:ar|e|en|a)(?:me|nos| mi)\b[^.?]{0,50}(?:lista|base|correo|datos|dirección)|\bno (?:me|nos) (?:escriba|escriban|env[ií]e|env[ií]en|contacte|contacten|mande|manden)\b|\bno (?:deseo|quiero) recibir\b/iu,
  /\b(?:cancell|rimuov|togli|elimin)\w*(?:mi|temi|ci|re)?\b[^.?]{0,40}(?:lista|elenco|database|mailing|indirizzo|dati)|\bnon (?:scriver|contattar|inviar|mandar)(?:e|mi|ci|emi|telo)\w*|\bnon (?:desidero|voglio) (?:più )?ricevere\b|\b(?:disiscriver|disiscriv)\w+/iu,
  /\b(?:remov|retir|exclu|descadastr|cancel)\w*[- ]?(?:me|nos|o meu|meu|a minha)?\b[^.?]{0,40}(?:lista|base|e-?mail|cadastro|inscrição|dados)|\bnão (?:me )?(?:envie|enviem|contacte|escreva|mande)\w*(?: mais)?\b|\bnão (?:desejo|quero) (?:mais )?receber\b/iu,
  /\b(?:haal|verwijder|schrijf) (?:mij|me|ons|mijn)\b[^.?]{0,40}(?:lijst|bestand|uit|adres|gegevens|mailing)|\b(?:graag|gelieve|wil) [^.?]{0,30}(?:uitschrijven|afmelden|verwijderen)|\bgeen (?:e-?)?mails? meer\b|\b(?:mail|contacteer|schrijf) (?:mij|me|ons) niet meer\b/iu,
  /(?:wypisz|wypisać|usuń|usunąć|usunięcie|wykreśl)\w*[^.?]{0,40}(?:list|baz|adres|mnie|danych|mail)|nie (?:życzę sobie|chcę)[^.?]{0,30}(?:otrzymyw|dostaw|wiadomości|mail)|(?:proszę )?(?:nie|więcej nie) (?:pisać|wysyłać|kontaktować)/iu,
  /(?:beni|bizi|adresimi|mailimi|liste(?:niz)?den)[^.?]{0,40}(?:çıkar|silin|silebilir)|(?:e-?posta|mail|mesaj)[^.?]{0,20}(?:göndermeyin|atmayın|yollamayın)|abonelikten çık/iu,
  /\b(?:ta bort|stryk|avregistrera) (?:mig|oss|min|mitt|vår)\b|\b(?:skicka|mejla|maila|kontakta) (?:mig|oss) inte\b|\binga fler (?:mejl|mail|utskick)|\b(?:fjern|slett|slet|avmeld|frameld) (?:meg|mig|oss|os)\b/iu,
];

/** The List-Unsubscribe `mailto:` of our letters asks with this subject. RFC 2369. */
const SUBJECT =
  /^\s*(?:re:\s*)?(?:unsubscribe|abmelden|désabonner|désinscription|baja|cancella(?:mi|zione)|uitschrijven|afmelden|wypisz|remove(?: me)?|opt[ -]?out|stop)\b[\s.!]*(?:[\w.-]{12,})?$/iu;

/** Who also says what interests them did not mean all letters. */
const OPPOSITE =
  /\b(?:don['’]t|do not|never|didn['’]t|can(?:['’]t|not)|won['’]t|ne|nicht|no|non) (?:want to |wish to |need to )?(?:stop|unsubscribe)\b/iu;

/** `words`: the letter without its quotes. */
export function isUnsubscribeRequest({ subject }: LetterView, words: string): boolean {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  if (SUBJECT.test(subject) && text.length <= MAX_CHARS) return true;
  if (text === '' || text.length > MAX_CHARS || OPPOSITE.test(text)) return false;
  const firstLine = words.split('\n').find((line) => line.trim() !== '') ?? '';
  const isAlone = (line: string) =>
    ALONE.test(line) && line.trim().split(/\s+/).length <= MAX_WORDS_ALONE + 2;
  if (isAlone(text) || isAlone(firstLine)) return true;
  return SENTENCES.some((pattern) => pattern.test(text));
}
