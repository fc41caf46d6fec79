/** Spanish. */
import type { Phrases } from './phrases.ts';

export const spanish: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:respuesta|contestación|mensaje) automátic[oa]|fuera de (?:la )?oficina',
    'ausencia|ausente\\b|(?:estoy )?de vacaciones|acuse de recibo|hemos recibido',
    'confirmación de recepción|notificación de ausencia|autorespuesta|auto-?respuesta',
    'de baja (?:médica|maternal|paternal)',
  ],
  away: [
    '(?:estoy|estaré|me encuentro|me encontraré|estamos|estaremos|nos encontramos|' +
      'permaneceré|nuestras? oficinas? (?:está|estará|permanecerá)n?|encontrándome)\\b~' +
      '(?:fuera de (?:la |mi |nuestra )?oficina|de vacaciones|(?:días )' +
      '?de (?:vacaciones|descanso)|ausentes?\\b|de baja|de permiso|de viaje|' +
      'de licencia|cerrad[oa]s?\\b|sin acceso|fuera del país|fuera de servicio|' +
      'no disponible)',
    '(?:regres|volv|reincorpor|retorn)(?:o|eré|aré|emos|eremos|aremos)\\b~' +
      '(?:el(?!\\p{L})|lunes|martes|miércoles|jueves|viernes|día(?!\\p{L})|oficina|' +
      'próximo)',
    '(?:a|tras) mi (?:regreso|vuelta|retorno|reincorporación)',
    '(?:durante|en) mi ausencia',
    'acceso (?:limitado|restringido|intermitente)~(?:correo|e-?mail|internet)',
    'no (?:podré|tendré|estaré)~(?:responder|contestar|acceso|leer|disponible|revis|' +
      'consult|atend)',
    'responderé~(?:regreso|vuelta|vuelva|regrese)',
    'oficinas?~(?:permanecerá|estará|está)n? cerrad',
  ],
  left: [
    'ya no (?:trabaj|form|labor|pertene|está en|presta|se encuentra (?:en|trabajando|' +
      'laborando))\\w*~(?:empresa|compañía|aquí|parte|con nosotros|en\\b|para|' +
      'organización|servicios)',
    '(?:ha|he) (?:dejado|causado baja|abandonado)~(?:empresa|compañía|trabajar|' +
      'organización|de formar|en(?!\\p{L}))',
    'dejó de (?:trabajar|laborar|formar|pertenecer)',
    '(?:esta|este) (?:dirección|cuenta|buzón|correo)~(?:ya no|no (?:está|es|se)|' +
      'deshabilitad|desactivad)',
    '(?:mi|su) (?:dirección de correo|correo)~ha cambiado|se ha jubilado',
    'me he jubilado',
  ],
  received: [
    'hemos recibido (?:su|tu|correctamente)',
    '(?:su|tu) (?:mensaje|correo|solicitud|consulta|petición|ticket|caso|e-?mail)\\b~' +
      '(?:ha sido|fue(?!\\p{L})|hemos|está siendo|será)~(?:recibid|registrad|cread|' +
      'abiert|asignad|atendid|procesad|gestionad)',
    '(?:su|tu|el) (?:número|nº|n\\.º|no\\.) (?:de )?(?:ticket|caso|solicitud|' +
      'incidencia|referencia)',
    '(?:ticket|caso|incidencia)~(?:ha sido|fue(?!\\p{L})|se ha)~(?:cread|registrad|' + 'abiert)',
    '(?:nos pondremos en contacto|le (?:responderemos|contestaremos|contactaremos|' +
      'atenderemos)|te (?:responderemos|contestaremos|contactaremos)|nuestro equipo|' +
      'un agente|uno de nuestros|un asesor)\\b~(?:brevedad|pronto|posible|plazo|horas|' +
      'cuanto antes|contactará|responderá|atenderá)',
    'gracias por (?:contactar|ponerse en contacto|comunicarse)~(?:con(?!\\p{L})|' +
      'nos(?!\\p{L}))',
    'responderemos (?:a la|lo antes|en)',
  ],
  automatic: [
    '(?:est[ea]|esto) es (?:un|una)~(?:mensaje|respuesta|correo|notificación)' + ' automátic[oa]',
    '(?:mensaje|correo|respuesta|e-?mail)~(?:generad|enviad)[oa]~automáticamente',
    '(?:por favor,? )?no (?:responda|respondas|conteste|responder) (?:a )?(?:este|' + 'esta)',
  ],
  stop: [
    'baja|(?:quiero |solicito |deseo )?(?:darme|dame|denme|deme) de baja|dar de baja',
    'cancelar(?: la)?(?: suscripción)?|desuscribir(?:me)?|desuscríbanme|desuscribirse',
    'eliminar(?:me)?|bórr(?:eme|enme|ame)|elimín(?:eme|enme|ame)|quít(?:eme|enme|ame)',
    'no (?:más|mas) (?:correos|e-?mails|mensajes|mails)|basta(?: ya)?|alto',
    'no me (?:escriba|contacte|envíe|mande)n?(?: más| nada)?|déj(?:eme|enme) en paz',
    'borren mis datos|paren|remover(?:me)?|no (?:escriba|molest)\\w* más',
  ],
  optOut: [
    '(?:solicito|solicitamos|pido|exijo|tramiten) (?:la |mi |su )?baja',
    '(?:dar(?:me|nos)?|dame|denme|dénme|deme|dénos) de baja',
    '(?:elimin|borr|quit|sac|remuev|suprim|retir|exclu)(?:ar|e|en|a|ir|ya|yan|o)' +
      '(?:me|nos|la|los)?\\b~(?:lista|base|datos|dirección|registros|suscriptores|' +
      'información)',
    '(?:elimín|bórr|quít|sáqu|remuév|retír)(?:eme|enme|ennos|enos|ame)\\b',
    '(?:eliminar|borrar|supresión|eliminación|borrado|suprimir)~(?:mis(?!\\p{L})|' +
      'nuestros|todos|de mis) (?:\\w+ )?datos',
    'no (?:me|nos|vuelva[ns]?|quier\\w+|dese\\w+|autoriz\\w+)\\b ?(?:a |que )?(?:me |' +
      'nos )?(?:escrib|env[ií]|contact|mand|molest|llegu|remit|recib|segui)\\w*~' +
      '(?:más(?!\\p{L})|mas(?!\\p{L})|correos?|mensajes?|e-?mails?|mails?|publicidad|' +
      'nada|nunca|información|contactar|escribir|[.!]|$)',
    'no (?:deseo|quiero|queremos|deseamos)(?: seguir)?~(?:recib|que me (?:contact|' +
      'escrib|env)|ser contactad|sus correos)',
    '(?:dej|par|ces)(?:en|e|a|ar|as) (?:ya )?(?:de )?(?:enviar|mandar|escribir|' +
      'contactar|molestar|spam)\\w*',
    'no (?:más|mas) (?:correos|mensajes|e-?mails|mails|publicidad|spam)',
    'cese (?:y desist|inmediat)',
    '(?:derecho de )?(?:supresión|oposición|cancelación de (?:mis )?datos|' + 'derecho al olvido)',
    'me opongo~(?:tratamiento|uso(?!\\p{L}))',
    '(?:rgpd|lopd|arco)\\b~(?:elimin|borr|supr|baja)',
    'denunci\\w+~(?:spam|agencia|aepd|protección)|lista robinson',
    'cancel\\w+~suscripción|desuscrib\\w+|desapunt\\w+',
  ],
  personal: [
    '(?:me|nos) interesa\\w*',
    '(?:me|nos) gustaría (?:ver|tener|recibir|saber|hablar|conocer|probar|una|' + 'agendar)',
    '(?:no )?(?:estoy|estamos) interesad[oa]s?|suena (?:bien|interesante)',
    '(?:llám|llam)(?:eme|ame|enme|enos|anos)|mejor (?:por|llam)|por teléfono',
    '(?:env[ií]|mánd|pás|compart)(?:eme|ame|enme|enos|anos|ame|anos)\\b',
    '(?:me|nos) (?:puede|podría|puedes|podrías)s?~(?:enviar|mandar|pasar|llamar|' +
      'decir|compartir)',
    '(?:puede|podría|podrías|puedes)n? (?:enviar|mandar|pasar|llamar|decir|compartir)' + '\\w*',
    '(?:su|tu|vuestra) (?:propuesta|oferta|producto|solución|servicio)',
    '(?:precios?|tarifas?|cotización|presupuesto|catálogo|coste|costo)\\b',
    'cuánto (?:cuesta|sería|vale|cobran)',
    '(?:reunión|llamada|cita|videollamada|demo)\\b~(?:el(?!\\p{L})|lunes|martes|' +
      'miércoles|jueves|viernes|semana|mañana|próxim)',
    '(?:lunes|martes|miércoles|jueves|viernes|mañana)~(?:me viene|me va|puedo|' +
      'está bien|perfecto)',
    'ya (?:tenemos|contamos|trabajamos|usamos)',
    'no (?:es|soy) (?:el |la )?(?:momento|buen momento|persona)',
    'no (?:necesitamos|nos hace falta|tenemos (?:presupuesto|necesidad))',
    '(?:escríb|contáct|vuelv)\\w+~(?:en(?!\\p{L})|después|próximo|más adelante)',
    '(?:he|lo he) (?:reenviado|pasado|hablado)|de dónde (?:sac|ha|obtuv|tien)',
  ],
  talk: [
    '(?:tengo|tenemos|podemos|puedo|creo|necesito|quiero|queremos|quisiera|' +
      'me gustaría|gustaría|prefiero|estoy|estamos|voy|vamos|lo)\\b',
    '(?:tiene|tienen|pueden|puede|ofrecen|trabajan)\\b',
    '(?:sí|si|no|gracias|perfecto|vale|claro|ok)\\b[,.!]',
    'mi (?:compañer|jefe|colega|socio)|adjunt|por el momento|de momento',
  ],
  keeps: [
    '(?:llám|llam)(?:eme|ame|enme|enos|anos)',
    '(?:mejor|prefiero|solo|sólo|simplemente)~(?:por(?!\\p{L})|llam\\w*|teléfono|' +
      'correo|e-?mail|whatsapp)',
    'por (?:teléfono|correo|e-?mail|escrito|whatsapp)',
    '(?:correo|e-?mail)~(?:mejor|va bien|funciona)|interes\\w+',
    '(?:env[ií]|mánd|pás)(?:eme|ame|enme|enos|anos)~(?:oferta|propuesta|precios?|' +
      'información|detalles|catálogo|presupuesto|cotización)',
    'cuánto|encantad[oa]|con gusto|reunión',
    '(?:escríb|contáct|vuelv)\\w+~(?:en(?!\\p{L})|después|próxim|más adelante)',
    'suena bien',
  ],
  polite: [
    'no,?(?: gracias)?|no me interesa',
    '(?:hola|buenos días|buenas(?: tardes| noches)?|estimad[oa]s?)(?: \\w+){0,3}',
    'por favor|porfa|gracias(?: de antemano)?|muchas gracias|(?:un )?saludos?',
    'cordialmente|atentamente|(?:un )?cordial saludo|inmediatamente|ya',
  ],
  urgent: [
    'urgen|en caso|para cualquier|si (?:necesita|requiere|es|su|tiene)|mientras tanto',
    'durante mi|en mi ausencia|emergencia',
  ],
};
