/** A way out of the writer's own mailing: whoever offers one writes to many, or has it below all they send. */
import { folded } from './folding.ts';

/** `If you don't want to hear from me, reply "stop"`, `Unsubscribe: https://...`, in folded text. */
const WAY_OUT = [
  /(?:if|not|n't|wish|want|rather|prefer).{0,60}(?:repl(?:y|ying)|respond|answer|write|send|just say|let me know).{0,20}["“”'«»„](?:stop|no|remove|unsubscribe|opt|no thanks|not interested|out|pass|nein|abmelden|stopp|non|baja|rimuovi)/u,
  /(?<!\p{L})(?:reply|answer|respond|write back|antworten sie|repondez|responda|rispond\p{L}+|antwoord) (?:with |mit |con |par |com |met )?["“”'«»„]?(?:stop|remove|unsubscribe|no thanks|opt[ -]?out|abmelden|baja|afmelden|rimuovi|cancella)(?!\p{L})/u,
  /(?:to (?:unsubscribe|opt[ -]?out|stop receiving)[^.!?]{0,60}(?:click|reply|visit|follow|use|go to|https?)|(?:click (?:here )?to |click |here to )(?:unsubscribe|opt[ -]?out|stop receiving))|manage your (?:subscription|preferences)|(?:unsubscribe|opt[ -]?out|manage preferences)(?: here| \||:| from these| of these| at any time|\s*https?:)/u,
  /you(?:'re| are)? (?:receiv(?:e|ed|ing)|get(?:ting)?) this (?:e-?mail|message|newsletter|because)|(?:sent|intended) (?:to|for) .{3,60} because you/u,
  /(?:newsletter|mails?|nachrichten|werbung).{0,40}(?:abbestellen|abmelden)|hier abmelden|abmelden(?::| unter| https?)|(?:zum )?abbestellen (?:hier|klick)/u,
  /(?:se desabonner|se desinscrire|desinscription|pour ne plus recevoir).{0,50}(?:cliquez|ici|https?|:)|(?:darse de baja|dese de baja|cancelar (?:la )?suscripcion|si no desea recibir).{0,60}(?:aqui|haga clic|https?|:)|(?:per cancellar|per disiscriv|annulla l'iscrizione|non vuoi piu ricevere).{0,50}(?:clicc|qui|https?|:)|(?:cancelar (?:a )?(?:inscricao|subscricao)|descadastr|nao (?:quer|deseja) (?:mais )?receber).{0,50}(?:clique|aqui|https?|:)|(?:uitschrijven|afmelden|meld u af|geen .{0,20} meer ontvangen).{0,40}(?:hier|klik|https?|:|[?] )|(?:wypisz|rezygn|zrezygnowac|wypisac).{0,50}(?:kliknij|tutaj|https?|:)|(?:отписаться|отказаться от рассылки|відписатися)(?: от| від|:| https?| -|[.]|$)|(?:leiratkozas|leiratkozhat|dezabonare|odhlasit (?:se|sa)|odhlaseni|avregistrera|avmeld|afmeld|απεγγραφ\p{L}+|להסרה|הסרה מרשימת|لالغاء الاشتراك|الغاء الاشتراك|abonelikten (?:cik|ayril)\p{L}*)\s*(?::|https?|hier|her|har|ide|aici|εδω|כאן|icin)|(?:退订|退訂|取消订阅|配信停止|수신거부)(?:[:：请]|はこちら|\s*https?)/u,
];

/** `words`: the message's own, folded. */
export const offersWayOut = (words: string): boolean =>
  WAY_OUT.some((pattern) => pattern.test(words.slice(0, 4_000)));

/** In folded text: `If you do not wish to receive further e-mails, please click here to unsubscribe.` */
const OFFER =
  /^(?:(?:if|should) you (?:(?:do not|don't|no longer) (?:wish|want)|would (?:like|rather|prefer)|wish|want|prefer)|(?:wenn|falls|sollten) sie (?:keine|nicht)|si vous ne (?:souhait|voul|desir)|si (?:ya )?no (?:desea|quiere)|se non (?:desider|vuo)|se nao (?:desej|quer|quis)|als u (?:geen|niet)|jesli nie (?:chc|zycz)|(?:если|якщо) (?:вы |ви )?(?:больше |більше )?не (?:хотите|желаете|хочете|бажаєте)).{0,100}(?:click|klick|unsubscribe (?:here|by|at|below)|cli[cq]|klik|нажмите|натисніть|https?:)/u;

/** Without such sentences below the first line; mail programs wrap them. They ask nothing of us. */
export function withoutWayOut(words: string): string {
  const lines = words.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const isOffer = (...parts: readonly string[]) => OFFER.test(folded(parts.join(' ')).trim());
  return lines
    .filter((line, at) => {
      if (at <= first) return true;
      const isWrapped = at - 1 > first && !isOffer(lines[at - 1]!) && isOffer(lines[at - 1]!, line);
      return !isOffer(line) && !isOffer(line, lines[at + 1] ?? '') && !isWrapped;
    })
    .join('\n');
}
