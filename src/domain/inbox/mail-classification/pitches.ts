/** A writer who offers an opt-out from their own mailing writes to many, and answers no message. */

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
