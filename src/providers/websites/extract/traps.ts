/** Addresses published as traps for harvesting robots, by the words around them. */

const ROBOTS = '(?:spam|e-?mail|mail)?[ -]?(?:ro)?bots?|spammers?|harvesters?|crawlers?|spiders?';

const SAID = new RegExp(
  [
    `(?:spam|bot|robot|crawler|harvester)[ -]?traps?|honey[ -]?pots?|(?:only|just) for (?:${ROBOTS})|(?:${ROBOTS}) only|not for humans|trap for (?:${ROBOTS})`,
    "(?:do not|don[’']?t|never) (?:ever )?(?:e-?mail|write|send|use|contact|reply)[^.\\n]{0,25} (?:this|the following|that) (?:e-?mail )?(?:address|mailbox|e-?mail)",
    `spam-?fallen?|bot-?fallen?|honigtopf|(?:nur|ausschließlich) für (?:spam-?)?(?:bots?|roboter|robots?|spammer|harvester)|falle für \\p{L}*(?:bots|robots|roboter|spammer)`,
    '(?:diese|folgende|nachfolgende|an diese|an folgende) (?:e-?mail-?)?adresse (?:bitte )?(?:nicht|niemals|nie) (?:an)?(?:schreiben|verwenden|benutzen|nutzen|mailen)|bitte nicht an diese',
    'pi[èe]ge (?:à|a|pour|anti)[ -]?(?:spam|robots?|spammeurs?|pourriels?|bots?)|(?:uniquement|seulement|réservée?) (?:pour|aux) (?:les )?(?:robots|bots|spammeurs)',
    "ne (?:pas|jamais) (?:écrire|utiliser|envoyer)[^.\\n]{0,20} cette adresse|n[’']écrivez (?:pas|jamais) à cette adresse|n[’']utilisez (?:pas|jamais) cette adresse",
    'trampa (?:para|de|anti)[ -]?(?:spam|robots|bots)|(?:solo|sólo|únicamente) para (?:robots|bots)|(?:no|nunca) (?:escriba|escribir|escribas|envíe|enviar|use|usar|utilice|utilizar)[^.\\n]{0,20} est[ae] (?:dirección|correo)',
    'trappola (?:per|anti)[ -]?(?:spam|robot|bot)|(?:solo|soltanto) per (?:i )?(?:robot|bot|spammer)|non (?:scrivere|scrivete|inviare|usare|utilizzare)[^.\\n]{0,20} quest[oa] (?:indirizzo|e-?mail)',
    'armadilha (?:para|de|anti)[ -]?(?:spam|robôs|bots)|(?:apenas|só) para (?:robôs|bots)|não (?:escreva|envie|use|utilize)[^.\\n]{0,20} est[ea] (?:endereço|e-?mail)',
    'spamval|val voor (?:spam)?(?:bots|robots)|alleen voor (?:ro)?bots|(?:mail|schrijf|gebruik|stuur)[^.\\n]{0,20} (?:dit|deze) (?:e-?mail-?)?adres (?:niet|nooit)',
    'pułapka na (?:spam|boty|roboty)|tylko dla (?:botów|robotów)|nie (?:pisz|używaj|wysyłaj)[^.\\n]{0,20} (?:ten|tego) adres',
    'past na (?:spam|roboty|boty)|(?:jen|pouze) pro (?:roboty|boty)|na tuto adresu nepište|tuto adresu nepoužívejte',
    'спам-?ловушк\\p{L}*|ловушк\\p{L} для (?:спам\\p{L}*|бот\\p{L}*|робот\\p{L}*)|только для (?:ботов|роботов)|не (?:пишите|отправляйте|используйте)[^.\\n]{0,20} этот адрес',
    'spam tuzağı|yalnızca botlar|sadece botlar|bu adrese (?:yazmayın|göndermeyin)|spamcsapda|csak robotoknak|roskapostiansa|vain boteille|spamf[äæe]lle?d?[ae]?|skräppostfälla',
    'スパム(?:トラップ|ボット用|業者用)|ボット専用|このアドレスには送信しないで',
  ].join('|'),
  'giu',
);

/** A refusal of advertisers only does not make an address a trap. */
const OF_ADVERTISING = /werb|advertis|marketing|publicit|pubblicit|reclame|reklam|newsletter/i;

const MOST = 160;

/** Whether the words around `at` say that nobody should write to the address. */
export function isSetOutForRobots(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST), at).split('\n');
  const own = before.pop()!;
  // "Do not write to this address:" is in the line above.
  const above = /\p{L}{3}/u.test(own) ? '' : (before.pop() ?? '');
  const behind = text.slice(at, at + MOST).split('\n', 1)[0]!;
  const line = `${above}\n${own}${behind}`.replaceAll(/[\uE000-\uE0FF]/g, '');
  if (OF_ADVERTISING.test(line)) return false;
  return line.search(SAID) >= 0;
}

/** Whether the mailbox's name says that nobody reads it. */
export const isTrapAddress = (email: string): boolean =>
  /^(?:[\w.+-]*[._+-])?(?:spam-?trap|honey-?pot|bot-?trap|spam-?bait|harvester-?trap)s?(?:[._+-]?\d*)?@/.test(
    email,
  );
