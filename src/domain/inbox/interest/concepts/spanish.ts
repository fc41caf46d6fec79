import type { Vocabulary } from './concepts.ts';

export const spanish: Vocabulary = {
  words:
    'el|la|los|las|de|que|y|en|un|una|por|con|para|no|es|su|sus|lo|se|me|nos|gracias|muy|mas|pero|ya|estamos|tenemos|hola|usted|mi|al|del|si|este|nuestro|buenos|saludos',
  not: 'no.|ni.|nunca|nada|ningun|tampoco|sin.|lamentablemente|desafortunadamente|desgraciadamente|lamento|nadie|jamas',
  interest: 'interes|curios|atraid|atenc',
  like: 'perfecto|genial|excelente|suena bien|me gusta|me gusto|nos gusta|buena idea|encanta|buen momento|justo lo|nos vendria|encajar|util.|estupendo|fantastico|muy bien|llama la|convenc|prometed|suena a|beneficiar|buena pinta|convencid',
  want: 'gustaria|con gusto|quisiera|quiero|queremos|encantad|deseo|deseamos|buscando|busqueda|abiertos|placer|adelante|compar|valorando|dispuest|por que no|me apunto|cuente con|eligiendo|escogiendo|ver la oferta|alegraria|dispuestos|pide algo|piden algo|participar|incluy',
  yes: 'si.|claro|por supuesto|de acuerdo|ok.|vale|adelante|desde luego|efectivamente|perfecto|como no',
  send: 'envi|mand|pasa.|paseme|pasame|remit|comparta|cuenteme|cuentame|saber mas|conocer|recibir|hagame|haganos|echare|espera de|pendiente|facilit|indiqueme|ver mas|hacer llegar',
  material:
    'informaci|info.|folleto|detalle|documentaci|presentaci|catalogo|referencia|ejemplo|muestra|dossier|portafolio|auditoria|condiciones|contrato|prueba|piloto|material|pdf|caso',
  offer: 'oferta|presupuest|cotizaci|propuesta|proponen|propone',
  price: 'precio|cuesta|coste|costo|cuanto|tarifa|iva.|suscripci|pago|caro|al mes|cobran|mensual',
  need: 'necesi|falta|requer|requier|utilidad|beneficio|uso.|sentido|aport|precis|demanda',
  have: 'tenemos|tengo|contamos|usamos|utiliz|trabajamos|hay.|dispon',
  already: 'ya.|desde hace|actual.|acabamos de|hace poco|de siempre|recien',
  supplier:
    'proveedor|agencia|socio|alguien|gestoria|sistema|solucion|competencia|extern|colabor|empresa que|otro|empresas de la zona|empresas locales',
  content:
    'content|satisfech|cubiert|bien servid|todo lo que|seguimos con|bien asi|bien atendid|encantados con|suficiente|atendid|nos va bien|equipad|resuelt|tenemos de todo|con los mismos|socio de confianza',
  own: 'internamente|nosotros mismos|propi|en casa|por nuestra cuenta|interno|solos|hecho solos|por nosotros|nuestra propia',
  fit: 'encaja|ajusta|relevante|aplica|corresponde|para nosotros|nuestro negocio|adapta|nuestra gama|buscamos|buscando|conviene|perfil|linea|nos sirve|sector|donde encaja|zona|panaderia',
  switch: 'cambiar|cambio|otro proveedor|otra empresa|elegido|optado|decidido|escogido|sustituir',
  refuse:
    'declin|rechaz|no gracias|no, gracias|no me interesa|no nos interesa|no estamos interesad|no estoy interesad|descart|paso.|no seguiremos|no necesit|no es para|no requer|sin interes|exito|suerte|no buscamos|para nada|no continuar|no hay necesidad|no deseamos|no queremos|no procede|no nos encaja|no encaja|dejamos aqui|agradezco~pero|abstener|no aceptamos|preferimos trabajar|no haremos uso|no vemos la necesidad|no tiene que ver|no esta en nuestros planes|no aplica|un no|nunca lo usar|tirar el dinero|no sabemos que|le paro',
  start:
    'empez|comenz|probar|prueba|pedir|pasos|contratar|firm|seguir adelante|implant|adelante|aceptamos|apunt|piloto|arrancar|avanzar|pedido|seguimos.|siguiente paso|empezar|proyecto donde|cuando podrian empezar',
  later:
    'mas adelante|futur|algun dia|otra ocasion|cuando llegue|si surge|llegado el|todavia no|aun no|es pronto|temprano|cuando termin|por ahora|de momento|por el momento|luego|despues|mas tarde|en su momento|si hace falta|en caso de|proximamente|lo necesitemos mas|pensarlo',
  period:
    'mes|semana|ano|trimestre|primavera|verano|otono|invierno|enero|febrero|marzo|abril|mayo.|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|vacaciones|navidad|fiestas|temporada|semestre|ejercicio|20\\d\\d|semana santa',
  now: 'ahora|en este momento|actualmente|por el momento|de momento|este ano|este trimestre|estos momentos|hoy por hoy|hoy.|a dia de hoy|por ahora|presente',
  again:
    'de nuevo|nuevamente|vuelv|volver|retom|recuerd|recontact|otra vez|hablemos de nuevo|lo revisamos|lo vemos|insist|intentelo',
  contact:
    'contact|dirij|diríj|escrib|hable con|hablar con|pregunte|comuni|consult|pongase|probar con|pruebe con|acuda|dirigir',
  budget: 'presupuesto.|gasto|dinero|fondos|congelad|financ|partida',
  busy: 'saturad|priorid|buen momento|capacidad|recursos|mudanza|reestructur|obras|temporada alta|hasta arriba|ocupad|carga|tiempo para|liad|en plena|no es momento|desbordad|cortos de gente|estrategia|parad|falta de personal|fusion|mil cosas|personal',
  contract: 'contrato|permanencia|renov|firmamos|comprometid|acuerdo|vigente',
  wait: 'esper|hasta.|pospon|aplaz|pausa|despues|tras.|congelad|cerrad|posterg|tras el|aguard|espera|esperar|antes de ano|prematur|pasado el verano',
  keep: 'guard|en cuenta|presente|datos|en contacto|al tanto|informad|anotad|archiv|mantenga|contacto',
  talk: 'llam|reunion|reunir|cita|hablar|hablamos|hablemos|videollamada|demo|telefon|conversar|cafe|zoom|teams|visita|vernos|nos vemos|encuentro|presentarlo|pase por|pasese|en persona|minutos|quedamos|quedar|comentarlo|call|charlar|charla|agend',
  weekday:
    'lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|proxima semana|semana que viene|esta semana|por la tarde|mediodia|semana entrante',
  clock: '\\d{1,2} ?h|\\d{1,2}[:.]\\d\\d|a las \\d|media hora|las \\d|el \\d{1,2}.|dia \\d',
  calendar:
    'calendario|agenda|hueco|disponib|invitaci|me viene bien|le va bien|le vendria|fecha|horario|cuando.|libre|que hora|que dia|reserv|cita|concert|coordinar|le parece|conviene el|prefiere',
  colleague:
    'companer|colega|jefe|jefa|director|responsable|gerente|socio.|sustitut|sucesor|asistente|hijo|encargad|dueno|propietari|supervisor',
  department:
    'departamento|central.|compras|direccion|recursos humanos|administraci|contabilidad|empresa matriz|informatica|sede|delegacion|grupo|area|ayuntamiento|equipo tecnico|junta directiva|oficina de|recepcion|tecnica|operaciones|buzon general|inmuebles',
  charge:
    'encarg|responsable de|lleva.|gestiona|decid|decision|persona indicada|persona correcta|persona adecuada|interlocutor|competencia|mi area|poder de|autorizad|depende de|se ocupa|la persona|maneja',
  wrong:
    'equivoc|no soy|incorrect|otra persona|nada que ver|solo llevo|error|no es mi|no llevo|erron|no me corresponde|no a mi|se equivoca|otros .{0,20} e hijos|no llevo eso|no soy quien',
  passedOn:
    'reenvi|copia|remitid|trasladado|pasado|paso a|lo paso|derivad|he pasado|reenviado|traslad|en cc|anado a|a quien corresponde',
  left: 'ya no trabaj|ya no esta|dejo la|jubilad|cambie de|no estoy en|se fue|no forma parte|ya no soy|retirad|abandon|ya no ocupo|puesto|ya no esta emplead|vendi la empresa|no esta emplead',
  somebody: 'senor|sr.|sra.|don.|dona|el lo|ella.|el.~gestiona|@',
  ask: 'que.|como.|cuanto|cuando.|donde|cual|quien|por que|duda|consulta|pregunta|entiendo|explic|a que',
  youDo:
    'tienen|ofrecen|hacen|trabajan|puede.|pueden|hay.|es un|incluye|funciona|se puede|se integra|son.|su producto|su programa|tiene|podria|cumplen|envian',
  thanks: 'gracias|agradec|amable|amabilidad',
  but: 'pero.|sin embargo|aunque|no obstante|sino|quiza|mejor',
  we: 'nosotros|nos.|nuestr|empresa|estamos|tenemos|somos|trabajamos',
  me: 'yo.|me.|mi.|soy.|tengo|estoy|mis.|mio',
};
