/** `Where did you get my address? Delete it.`: the object of the removal is in another sentence. */
import { patternOf } from './folding.ts';

/** As an order or a wish; not as a past event. */
const REMOVE = [
  patternOf(
    [
      '(?:please |pls |plz |kindly |just |and |then |so |it )(?:delete|remove|erase|purge|wipe|rmv)(?!\\p{L})|^\\s*(?:delete|remove|erase|purge|wipe) (?:it|this|that|them|immediately|now)|(?:want|like|need) (?:it|this|that|them) (?:deleted|removed|erased|gone)',
      '(?:lösch|entfern|streich)(?:e|en|t|ung)?(?!\\p{L})|(?:zu|auszu)?(?:löschen|tragen)(?!\\p{L})',
      '(?:supprim|effac|retir|enlev)(?:ez|er|e)(?!\\p{L})',
      '(?:borr|elimin|quit|suprim|sac)(?:en|e|ar|a|ad|an|ir)(?:l[oae]s?|me|nos)?(?!\\p{L})',
      '(?:cancell|elimin)(?:are|ate|i|ino|a|atel[oa]|atemi|arl[oa]|il[oa])(?!\\p{L})|(?:rimuov|togli|tolg)\\p{L}+',
      '(?:apag|remov|elimin|exclu|retir|delet)(?:uem|ue|ar|em|er|am|a|e|ir)(?:-?(?:me|n?[oa]s?|l[oa]s?))?(?!\\p{L})',
      '(?:verwijder|schrap|wis)(?:en|pen|sen|t)?(?!\\p{L})',
      '(?:usunąć|usuńcie|usuń|skasować|skasujcie|wykreślić|wykreślcie)(?!\\p{L})',
      '(?:удалите|удалить|удали|сотрите|стереть|уберите|убрать|видаліть|видалити|приберіть|изтрийте|изтрий|премахнете|заличете)(?!\\p{L})',
      '(?:smažte|vymažte|odstraňte|smazat|vymazat|zmažte|odstráňte|vymazať|obrišite|izbrišite|uklonite|odstranite)(?!\\p{L})',
      'töröl\\p{L}*|(?:ștergeți|șterge|eliminați|scoateți)(?:-?(?:o|l|le|mă))?(?!\\p{L})',
      '(?:ta bort|radera|slett|slet|fjern)(?:e|es|a|as)?(?!\\p{L})|poista(?:kaa|a)?(?!\\p{L})',
      '(?:διαγράψτε|διαγράψετε|σβήστε|αφαιρέστε)(?!\\p{L})|(?:silin|siliniz|kaldırın|kaldırınız|siler misiniz)(?!\\p{L})',
    ],
    true,
  ),
  /(?:תמחק|מחק|הסר|תסיר|למחוק|להסיר)|احذف|حذف|امسح|ازال|ازيل|[删刪]除|移除|削除|삭제/u,
];

/** The reason: the address's origin, that it is wrong, or that the message was unsolicited. */
const WRONG =
  /wrong (?:address|person|e-?mail|recipient|company)|falsche (?:mail-?|e-?mail-?)?(?:adresse|person|empfanger)|(?:mauvaise? |trompez? d[e'] ?)(?:adresse|personne|destinataire)|(?:direccion|correo|persona|destinatario) equivocad|(?:indirizzo|persona|destinatario) (?:errat|sbagliat)|(?:endereco|email|e-mail|pessoa) errad|verkeerde? (?:e-?mail)?(?:adres|persoon)|(?:zly|bledny|niewlasciwy) adres|ошиб\p{L}* адрес|не тот адрес|неправильн\p{L}* адрес|помил\p{L}* адрес|(?:spatna|nespravna|zla) adresa|rossz (?:e-?mail ?)?cim|adres\p{L}* gresit|fel(?:aktig)? adress|feil adresse|forkert adresse|vaara osoite|λαθοσ (?:διευθυνση|ατομο)|כתובת (?:שגויה|לא נכונה)|טעות בכתובת|عنوان خاط|yanlis (?:adres|kisi)|地址[错錯]|宛先.{0,4}(?:間違|違)|주소가 (?:틀|잘못)/u;
const UNASKED =
  /(?<!\p{L})(?:spam|unsolicited|unverlangt|unaufgefordert)(?!\p{L})|(?:never|not|n't) .{0,20}(?:consent|subscrib|signed? up|permission)/u;

const MAX_CHARS = 300;

/** `sentences`: of the whole message, folded; `isOrigin`: asks where the address is from. */
export function asksRemoval(
  sentences: readonly string[],
  isOrigin: (sentence: string) => boolean,
  isAboutOther: (sentence: string) => boolean,
): boolean {
  const text = sentences.join(' ');
  if (text.length > MAX_CHARS) return false;
  const isReason = WRONG.test(text) || UNASKED.test(text) || sentences.some(isOrigin);
  return (
    isReason &&
    sentences.some((each) => REMOVE.some((one) => one.test(each)) && !isAboutOther(each))
  );
}
