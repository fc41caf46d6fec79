/** Messages that machines send unprompted: notices, tickets, newsletters. RFC 3834, RFC 2369, RFC 2919. */
import type { MessageView } from './message.ts';

type Headers = MessageView['headers'];

/** The first word of the header, in lower case. */
export const autoSubmitted = (headers: Headers): string =>
  headers
    .get('auto-submitted')
    ?.toLowerCase()
    .split(/[\s;(]/)[0] ?? 'no';

const precedence = (headers: Headers): string =>
  headers.get('precedence')?.trim().toLowerCase() ?? '';

export const isAutoReplyPrecedence = (headers: Headers): boolean =>
  /^auto[_-]?reply/.test(precedence(headers));

/** A machine wrote it, or it asks for no automatic answers. */
export const isByMachine = (headers: Headers): boolean =>
  autoSubmitted(headers) !== 'no' ||
  headers.has('x-auto-response-suppress') ||
  /^(?:bulk|junk|list)$/.test(precedence(headers));

/**
 * Sent with the null return path, which people's programs never use: automatic answers have to (RFC 3834, 3.3). The
 * host that delivers writes it down (RFC 5321, 4.4).
 */
export const hasNullReturnPath = (headers: Headers): boolean =>
  /^\s*<\s*>\s*$/.test(headers.get('return-path') ?? '');

/** To many at once. */
export const isToMany = (headers: Headers): boolean =>
  headers.has('list-id') || headers.has('list-unsubscribe');

/** It names a message that it is about. */
export const namesMessage = (headers: Headers): boolean =>
  headers.has('in-reply-to') || headers.has('references');

/** Subjects of tickets and receipts, which answer a message without referring to it. */
const RECEIPT = new RegExp(
  [
    "\\b(?:we(?:['’]ve| have)?|has been|was) (?:successfully )?received\\b(?!.{0,40}\\b(?:order|payment|invoice)\\b)",
    '\\bthank(?:s| you) for (?:contacting|reaching out|writing|getting in touch|your (?:e-?mail|message|inquiry|enquiry|request))\\b',
    '\\b(?:ticket|case|request)\\b.{0,40}\\b(?:received|created|opened)\\b',
    '\\b(?:wir haben )?ihre (?:anfrage|nachricht|e-?mail)\\b',
    'eingangsbestätigung|empfangsbestätigung',
    '\\b(?:bien reçu votre|votre (?:message|demande|e-?mail) a (?:bien )?été)\\b',
    '\\b(?:hemos recibido (?:su|tu)|gracias por (?:contactar|su (?:mensaje|correo|consulta)))',
    '\\b(?:abbiamo ricevuto (?:il|la)|grazie per averci (?:contattato|scritto))',
    '\\brecebemos (?:a |o )?(?:sua|seu)\\b|\\bobrigad[oa] (?:por|pelo) (?:seu )?conta(?:c)?to',
    '\\b(?:wij|we) hebben (?:uw|je) (?:bericht|e-?mail|aanvraag)|\\b(?:bedankt|dank) voor (?:uw|je) (?:bericht|e-?mail|mail|vraag|aanvraag)',
    '\\bmerci (?:pour|de) (?:votre (?:message|e-?mail|demande|courriel)|nous avoir (?:contact|écrit))',
    '(?<!\\p{L})(?:dziękujemy za (?:wiadomość|kontakt|zgłoszenie)|děkujeme za (?:vaši |váš )?(?:zprávu|dotaz|e-?mail)|спасибо за (?:ваше )?(?:обращение|сообщение|письмо)|дякуємо за (?:ваше )?(?:звернення|повідомлення))',
    '(?:otrzymaliśmy|dostaliśmy|mamy) (?:państwa|twoją|twoje|pana)|zgłoszenie .{0,20}(?:przyjęte|zarejestrowane)',
    '(?<!\\p{L})(?:мы получили ваш|ваш(?:е|а)? (?:обращение|сообщение|письмо|заявка|запрос) (?:получен|принят|зарегистрирован)|(?:ми )?отримали ваш|ваш(?:е|а)? (?:звернення|повідомлення|лист|заявка|запит) (?:отриман|прийнят|зареєстрован))',
    '(?<!\\p{L})(?:vaš[ei]? (?:zpráv|správ|žádost|žiadosť|požadav|e-?mail)\\p{L}* .{0,20}(?:přijat|prijat|doručen|obdržel)|(?:přijali|prijali|obdrželi) jsme vaš|(?:megkaptuk|köszönjük) (?:a |az )?(?:levelét|megkeresését|üzenetét|e-?mailjét)|am primit (?:mesajul|solicitarea|e-?mailul))',
    '(?<!\\p{L})(?:vi har (?:modtaget|mottatt|mottagit) (?:din|ditt|dit|deres)|tack för ditt (?:mejl|meddelande|mail)|tak for din (?:mail|besked|henvendelse)|takk for (?:din|e-?posten|henvendelsen)|viestisi on vastaanotettu|kiitos (?:viestistäsi|yhteydenotostasi))',
    '(?<!\\p{L})(?:λάβαμε το (?:μήνυμ|email|αίτημ)|mesajınız(?:ı)? (?:alındı|aldık|bize ulaştı)|talebiniz (?:alındı|oluşturuldu)|получихме вашето|chúng tôi đã nhận được|kami telah menerima|pesan anda (?:telah|sudah) (?:kami )?(?:terima|diterima))',
    '(?:קיבלנו את (?:פנייתך|הודעתך)|פנייתך (?:התקבלה|נקלטה)|(?:تم استلام|لقد استلمنا|استلمنا) (?:رسالتك|طلبك|استفسارك))',
    '(?:(?:已|我们已|我們已)(?:收到|接收)(?:您|你)的(?:邮件|郵件|来信|來信|咨询|諮詢|留言|请求)|お問い?合わせ(?:を|ありがとうございます|いただき|受付)|(?:メール|お問い?合わせ)(?:を)?(?:受信|受け付け|受付)(?:いた)?しました|문의(?:가|를)? ?(?:접수|받았)|(?:메일|메시지)(?:을|를|이)? ?(?:접수|받았))',
  ].join('|'),
  'iu',
);

export const isReceipt = (subject: string): boolean => RECEIPT.test(subject);

/** Bills, orders, parcels, codes, accounts: topics of machines' messages to their own customers. */
const NOTICE =
  /(?<!\p{L})(?:(?:mailbox|storage|postfach|speicher|boîte|buzón|casella|caixa|skrzynk\p{L}+|ящик\p{L}*|скриньк\p{L}+).{0,50}\d ?%|invoice|receipt (?:no|from)|order (?:no|number|#|confirm)|your order|payment|parcel|shipment|password|sign-in|login|verification code|subscription|auto-renew|booking confirm|claim|statement|paiement|(?<!\p{L})pago(?!\p{L})|zahlung|pagamento|betaling|platnos|оплат|оплач|maksu|odeme|πληρωμ|付款|支払|season's greetings|merry christmas|happy holidays|frohe weihnachten|inventur|webinar|(?:your|new|e-)-?ticket|reservation|newsletter|security alert|verify your|profile|invitation:|aggregate report|report domain|reservierung|buchung|jahresabrechnung|abrechnung|einladung:|reserva(?!\p{L})|billete|prenotazion|biglietto|boeking|rezerwacj|bilet|бронир|бронюв|квиток|билет|rezervare|rezervac|foglalas|κρατησ|حجز|rezervasyon|bokning|varaus|예약|予約|预订|預訂|réservation|billet|rechnung|bestellung|lieferung|paket|passwort|kundenkonto|abbuchung|lastschrift|facture|commande|colis|livraison|mot de passe|factura|pedido|envío(?! automático)|contraseña|fattura|ordine|spedizione|pacco|fatura|encomenda|senha|factuur|bestelling|pakket|wachtwoord|faktur|zamówieni|paczk|przesyłk|hasło|счет|счёт|заказ|посылк|пароль|рахунок|замовленн|посилк|发票|订单|快递|密码|容量|請求書|ご注文|配送|számla|rendelés|csomag|comand|colet|τιμολόγιο|παραγγελ|חשבונית|הזמנה|فاتورة|طلبية|sipariş|kargo|fatura|beställning|bestilling|faktura|objednávk|zásilk|tilau|lasku|주문|결제|배송)/iu;

/** `words`: the subject and the text. */
export const isNotice = (words: string): boolean => NOTICE.test(words.slice(0, 800));
