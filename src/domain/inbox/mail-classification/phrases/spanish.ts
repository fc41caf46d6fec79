/** Spanish. */
import type { Phrases } from './phrases.ts';

export const spanish: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:re: ?)?(?:de )?vacaciones\\b|fuera (?:de|del)|hemos recibido|gracias por (?:contactar|escribir)|su (?:solicitud|consulta|mensaje) (?:ha|fue)',
    '(?:respuesta|contestación|mensaje) automátic[oa]|fuera de (?:la )?oficina',
    'ausencia|ausente\\b|(?:estoy )?de vacaciones|acuse de recibo|hemos recibido',
    'confirmación de recepción|notificación de ausencia|autorespuesta|auto-?respuesta',
    'de baja (?:médica|maternal|paternal)',
  ],
  away: [
    '^(?:\\S+ ){0,2}ausentes? (?:hoy|hasta|del|de|esta|por|desde|todo|mañana)',
    '^(?:\\S+ )?(?:de|en) (?:vacaciones|viaje|baja|permiso|licencia) hasta',
    '(?:oficina|oficinas|estudio|tienda|empresa|negocio|local|despacho|restaurante|hotel|clínica|taller|consulta)\\b~(?:est[aá]n?|estar[aá]n?|permanece|permanecer[aá]n?|quedar[aá]n?|permanecen) (?:\\w+ )?cerrad[oa]s?',
    '(?:a la vuelta|a mi vuelta|a nuestra vuelta|al volver|a mi regreso|cuando (?:vuelva|regrese|volvamos))~(?:contest|respond|atend|te |le |les )?',
    '(?:me encuentro|estoy|estaré|estamos|estaremos)~(?:de (?:viaje|baja|permiso|vacaciones)|fuera (?:de|del)|ausente|sin acceso|con acceso limitado|de licencia)\\b',
    '(?:no (?:trabajo|reviso|leo|atiendo)|reviso|leo)~(?:los (?:lunes|martes|miércoles|jueves|viernes)|correos?|e-?mails?|mensajes)~(?:hasta|solo|sólo|una vez|[.]|$)',
    'cerrad[oa]s? (?:por (?:vacaciones|festivo|inventario|navidad)|hasta|del|desde)|reabri\\w+|reapertura',
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
    '(?:buzón|dirección|cuenta|casilla|correo)\\b~(?:ha sido|fue|está|será) (?:dad[oa] de baja|cerrad|desactivad|eliminad|suprimid|cancelad)[oa]?',
    '(?:mensajes|correos)~(?:eliminan|borran|eliminados|borrados)~sin',
    '(?:dirección|cuenta|buzón|correo|casilla)~(?:ha dejado de|dejó de|dejará de)',
    '(?:mi|nuestra|nuestro) nuev[oa] (?:dirección|correo|e-?mail)~(?:es|@)|actuali[cz]\\w*~(?:contactos|agenda|datos|libreta)',
    'ya no (?:trabaj|form|pertenec|labor|est[aá])\\w*~|dej[oó]~(?:la empresa|la compañía|de trabajar)|(?:buzón|dirección|cuenta|correo)~(?:no (?:se|est[aá])|ya no|dejar[aá])~(?:revis|atend|leen|lee|activ|us|monitor)\\w*',
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
    '(?:ticket|caso|solicitud|incidencia)~(?:está en curso|en (?:proceso|trámite))',
    'tiempo (?:medio|promedio|estimado) de respuesta[^.!?]{0,25}\\d|(?:seguir|consultar) (?:su|el) estado',
    'nos (?:pondremos|comunicaremos|pondrán)~(?:contacto|usted|con)|(?:un|una) (?:asesor|agente|compañer|persona)\\w*~(?:contactará|responderá|atenderá)',
    'hemos (?:registrado|recibido|abierto)|(?:agente|equipo|asesor)\\w*~(?:revis|respond|contact|atend)\\w*',
    '(?:ha|has|han|fue|queda|quedó) (?:quedado |sido )?(?:registrad|recibid|asignad|ingresad)[oa]',
    '(?:mensaje|correo|consulta|solicitud)~(?:nos ha llegado|ha llegado|recibid|ya está en)\\w*',
    '(?:te|le|les|os) (?:respond|contest|atend|contact)\\w+~(?:breve|posible|pronto|horas|plazo|días|brevedad|antes)',
    'en (?:breve|un plazo|menos de)~(?:respond|contest|contact|horas)\\w*|a la mayor brevedad|(?:número|folio) (?:de )?(?:caso|ticket|folio|solicitud|referencia|es)\\b|de lunes a (?:viernes|sábado)',
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
    '(?:envío|aviso|acuse) automático',
    '(?:mensaje|correo|respuesta)~(?:automátic|generad)\\w*~|no (?:responda|respondas|conteste) a este',
    '(?:est[ea]|esto) es (?:un|una)~(?:mensaje|respuesta|correo|notificación)' + ' automátic[oa]',
    '(?:mensaje|correo|respuesta|e-?mail)~(?:generad|enviad)[oa]~automáticamente',
    '(?:por favor,? )?no (?:responda|respondas|conteste|responder) (?:a )?(?:este|' + 'esta)',
  ],
  stop: [
    '(?:darme |dadme |denme )?(?:de )?baja|basta(?: ya)?|no más (?:correos|mensajes|emails|publicidad)',
    'baja|(?:quiero |solicito |deseo )?(?:darme|dame|denme|deme) de baja|dar de baja',
    'cancelar(?: la)?(?: suscripción)?|desuscribir(?:me)?|desuscríbanme|desuscribirse',
    'eliminar(?:me)?|bórr(?:eme|enme|ame)|elimín(?:eme|enme|ame)|quít(?:eme|enme|ame)',
    'no (?:más|mas) (?:correos|e-?mails|mensajes|mails)|basta(?: ya)?|alto',
    'no me (?:escriba|contacte|envíe|mande)n?(?: más| nada)?|déj(?:eme|enme) en paz',
    'borren mis datos|paren|remover(?:me)?|no (?:escriba|molest)\\w* más',
  ],
  optOut: [
    '(?:asegúr|procur|encárg)\\w+~no~(?:más|nada)(?!\\p{L})',
    'basta (?:ya )?de~(?:correos?|mensajes?|mails?|e-?mails?|publicidad|spam|propaganda)',
    '(?:supr[ií]m|elim[ií]n|borr|bórr)\\w*~(?:mis|nuestros|mi|nuestro)(?!\\p{L})|(?:quiero|deseo|quisiera|cómo|como)~(?:salir de|borrarme|eliminarme|ser (?:eliminad|borrad|excluid|retirad))\\w*',
    '(?<!se pued[ae]n? )(?:den|dad|dar|deme|denme|dadme|dame|dese|dése|(?:favor,?|nos|me|lo|la|que) (?:de|dé|da))(?: \\S+){0,4} de baja|(?:la|mi|nuestra|causar|tramitar|pido|solicit\\w*|gestion\\w*) baja~(?:de|en|lista|por)?',
    '(?:no|ni|nunca) (?:me |nos |les? )?(?:vuelv|insist|molest|escrib|contact|mand|envi|us)\\w*(?:me|nos)?(?: a (?:escribir|contactar|enviar|mandar|molestar)\\w*)?(?: más| mas| nunca| de nuevo| por favor| a esta| esta dirección| este correo|[.!,]|$)',
    '(?:abst[eé]ng\\w*|abstener\\w*|ces(?:e|en|ar|ad)|dej(?:e|en|a|ar|ad)|par(?:e|en|ar|ad))(?!\\p{L})~(?:de )?(?:envi|escrib|mand|contact|remit|molest|usar|utiliz)\\w*',
    '(?:agradecer|ruego|rogamos|pido|pedimos|prefier|prefer)\\w*~(?:no|dej|que no|deje|cesen)\\w*~(?:envi|escrib|mand|contact|recib|molest|correo|insist)\\w*',
    '(?:no|sin) (?:autoric|autoriz|consent|he dado|di|dimos|solicit|ped)\\w*~(?:correo|publicidad|datos|uso|envío|mensajes|consentimiento|nada)',
    '(?:bórr|elimín|quít|sáqu|supr[ií]m|exclúy|retír)\\w*(?:me|nos|l[oae]s?|te)\\b|(?:bloque|exclu|elimin|borr|retir)\\w*~(?:nuestr[oa]|mi|mis|este|esta|el) (?:dominio|correo|dirección|empresa|datos|contacto|e-?mail)',
    '(?:art(?:ículo|\\.)? ?(?:17|21))\\b~(?:rgpd|reglamento)|esta (?:dirección|cuenta) no es para~',
    '(?:harto|harta|cansad[oa])~(?:correos|mensajes|spam|mails)|(?:último|ultima) (?:correo|mensaje|aviso)',
    '(?:elimin|quit|borr|retir|suprim)\\w*~(?:est[ea]|mi|nuestro|nuestra|la)~(?:correo|dirección|e-?mail|email|buzón|contacto)|(?:dej[ae]n?|dejad|dejar|pare|paren|parad)\\b~(?:envi|mand|escrib)\\w*',
    '(?:ya )?basta de~|(?:d[ae]d?|dé|de|den|dar)[- ]?(?:me|nos)~de baja|(?:denme|deme|dame|dadme|darme|dennos|dadnos|dése)\\b~baja',
    '(?:quit|borr|elimin|sac|retir|suprim|excluy)\\w*(?:me|nos|enme|enlos?|la|lo)\\b(?:~(?:list|base|datos|registro|fichero|envíos|correo)\\w*)?',
    '(?:no|nunca)~(?:me|nos)~(?:escrib|envi|env[ií]|mand|contact|molest|vuelv)\\w*~(?:más|nunca|jamás|nada|publicidad|correos|otra vez|de nuevo)',
    'no (?:vuelva|vuelvas|vuelvan|volváis)~(?:a(?!\\p{L}))~(?:escrib|contact|envi|mand)\\w*',
    '(?:dej|par|ces)\\w+ (?:ya )?de~(?:escrib|envi|mand|molest|contact|spam)\\w*',
    '(?:no (?:quiero|deseo|queremos|deseamos))~(?:recib|correos|publicidad|mensajes|contact|saber)\\w*',
    '(?:derecho|solicit\\w+|ejerz\\w+|conforme)~(?:supresión|oposición|cancelación|rgpd|lopd)|(?:denunci|agencia de protección|aepd)\\w*',
    'no (?:he |hemos )?(?:autoric|consent|di |dado)\\w*~(?:datos|permiso|consentimiento|uso)?',
    '(?:solicito|solicitamos|pido|exijo|tramiten) (?:la |mi |su )?baja',
    '(?<!se pued[ae]n? )(?:dar(?:me|nos)?|dame|denme|dénme|deme|dénos) de baja',
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
    'llam(?:e|en|a|ame) (?:el|mañana|a partir|por la|cuando)|cualquier otro día|(?:estamos|está) cerrados? los \\p{L}+',
    'hablamos|hablemos|lo hablo|(?:por ahora|de momento|ahora mismo|hoy|pero|actualmente),? no(?!\\p{L})|no (?:nos|me) (?:encaja|hace falta)',
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
    'hablamos|hablemos|lo vemos',
    '(?:llámame|llámeme|llamadme|escríbeme|escríbele|habla con)|(?:lunes|martes|miércoles|jueves|viernes|mañana)~(?:puedo|me va|bien|te llamo)',
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
