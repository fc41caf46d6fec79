/** Portuguese, of Portugal and Brazil. */
import type { Phrases } from './phrases.ts';

export const portuguese: Phrases = {
  isSpaced: true,
  subjects: [
    '(?:re: ?)?(?:de )?férias\\b|recebemos|obrigad[oa] (?:por|pelo)|confirmação d[eao] (?:rece[cp]|recebimento|leitura|contato|contacto)',
    '(?:resposta|mensagem|aviso) (?:automátic[oa]|de ausência)|fora do escritório',
    'ausência|ausente\\b|(?:estou )?(?:de|em) férias',
    'confirmação de (?:recebimento|receção|recepção)',
    'recebemos (?:a |o )?(?:sua|seu|tua|teu)|aviso de (?:férias|recebimento)',
    'acuso? de receção|licença (?:maternidade|médica)',
  ],
  away: [
    '(?:encerrad|fechad)[oa]s? (?:para|por|até|de)',
    '^(?:\\S+ )?(?:de|em) (?:férias|licença|viagem|baixa)(?: \\S+){0,2} até',
    '(?:estou|estarei|estamos|estaremos|encontro-me|me encontro)~(?:de (?:férias|licença|baixa)|fora (?:do|de)|ausente|em viagem|sem acesso|com acesso limitado|de atestado|encerrad|fechad)\\w*',
    '(?:escritório|loja|empresa|atelier|hotel|clínica|restaurante|serviços)\\b~(?:est[aá]|estão|estar[aã]o?|encontra-se|permanec\\w+)~(?:fechad|encerrad)\\w*',
    '(?:no meu|ao) (?:regresso|retorno)|quando (?:regressar|voltar|retornar)|(?:assuntos|casos?|situações) urgentes?|reabr\\w+',
    'não (?:terei|tenho)~acesso|(?:leio|consulto|verifico)~(?:e-?mails?|mensagens)~(?:só|apenas|esporadic)',
    '(?:estou|estarei|encontro-me|me encontro|estamos|estaremos|encontrar-me-ei|' +
      'nosso escritório (?:está|estará)|nossos escritórios)\\b~' +
      '(?:fora do (?:escritório|país)|fora da empresa|(?:de|em|gozo de|gozando) férias|' +
      'ausentes?\\b|de licença|em licença|em viagem|viajando|de baixa|fechad[oa]s?\\b|' +
      'indisponíve(?:l|is)|sem acesso|afastad[oa])',
    '(?:retorn|regress|volt)(?:o|arei|aremos|amos)\\b~(?:dia(?!\\p{L})|em(?!\\p{L})|' +
      'no(?!\\p{L})|na(?!\\p{L})|a(?!\\p{L})|ao(?!\\p{L})|segunda|terça|quarta|quinta|' +
      'sexta|escritório)',
    '(?:no|após o|depois do) meu (?:regresso|retorno)|(?:durante a|na) minha ausência',
    'acesso (?:limitado|restrito|esporádico)~(?:e-?mail|correio|mensagens)',
    '(?:não (?:terei|estarei|poderei))~(?:acesso|disponível|responder|ler(?!\\p{L})|' +
      'consultar|acessar)',
    'responderei~(?:regresso|retorno|voltar|regressar|retornar)',
  ],
  left: [
    '(?:caixa|endereço|conta|e-?mail)\\b~(?:foi|está|será) (?:encerrad|desativad|desactivad|extint|eliminad|fechad)[ao]',
    'mensagens~(?:apagadas|eliminadas|excluídas)~(?:sem|não)',
    '(?:já )?não (?:trabalh|faz|integra|pertenc|colabor)\\w*~(?:mais|empresa|companhia|equipa|equipe|aqui|connosco|conosco)|(?:caixa|endereço|conta|e-?mail)~não (?:é|está)~(?:monitor|lid|consult|utiliz|ativ|usad)\\w*|desligou-se|deixou a empresa',
    '(?:já )?não (?:trabalh|faz|faço|integra|pertence|colabora|está)\\w*~(?:mais )' +
      '?(?:na|nesta|para|parte|connosco|conosco|empresa|aqui|com a|à)',
    'não (?:trabalha|faz|está) mais',
    '(?:deixou|saiu|desligou-se|deixei)\\b~(?:empresa|de trabalhar|quadro|companhia|' +
      'organização|de fazer)',
    'não faz mais parte',
    '(?:este|esta) (?:e-?mail|endereço|conta|caixa)~(?:não (?:é|está|será)|já não|' +
      'desativad|foi desativ)',
    '(?:meu|seu) (?:e-?mail|endereço) mudou|aposentou-se|reformou-se',
  ],
  received: [
    'tempo (?:médio|estimado) de (?:resposta|atendimento)[^.!?]{0,25}\\d',
    'respondemos~(?:ordem|chegada|horas|dias)|(?:nosso )?horário~(?:das|de|é)',
    '(?:pedido|mensagem|solicitação|contato|contacto|e-?mail)~(?:foi|está)~(?:registad|registrad|recebid|encaminhad|atribu|em análise|aberto)\\w*',
    '(?:responder|retornar|entrar|contact)\\w*~(?:em até|horas|dias|possível|brevidade|breve|em contacto|em contato)',
    'recebemos (?:a |o )?(?:sua|seu|tua|teu)|obrigad[oa] (?:pelo|por) (?:seu |sua |nos )?(?:contato|contacto|contactar|mensagem)~(?:respond|retorn|entrar)?',
    '(?:protocolo|número do (?:pedido|chamado|ticket))|de segunda a (?:sexta|sábado)',
    'recebemos (?:a sua|o seu|sua|seu|a tua|o teu|tua|teu)',
    '(?:sua|seu|a sua|o seu) (?:mensagem|e-?mail|pedido|solicitação|contacto|contato|' +
      'chamado|ticket)\\b~(?:foi(?!\\p{L})|está|será)~(?:recebid|registrad|registad|' +
      'abert|criad|encaminhad|atendid|process)',
    '(?:número|nº|n\\.º) (?:do|de|da) (?:\\w+ )?(?:ticket|chamado|protocolo|pedido|' +
      'solicitação|atendimento|seu)',
    '(?:ticket|chamado|protocolo)~(?:foi(?!\\p{L})|nº(?!\\p{L})|número|#)~(?:criad|' +
      'abert|registrad|registad)?',
    '(?:entraremos em conta(?:c)?to|responderemos|retornaremos|nossa equip[ea]|' +
      'a nossa equip[ea]|um (?:de nossos|atendente|colaborador))\\b~(?:breve|possível|' +
      'prazo|horas|úteis|assim que|entrará|responderá)',
    '(?:obrigad[oa]|agradecemos)~(?:entrar em conta|contactar|contatar|(?:seu|o seu|' +
      'pelo) conta(?:c)?to)',
  ],
  automatic: [
    'envio automático',
    '(?:mensagem|resposta|e-?mail)~automátic[oa]~|não respond\\w+ a (?:esta|este)',
    '(?:est[ea]|isto) é uma?~(?:resposta|mensagem|e-?mail) (?:automátic|gerad)[oa]',
    '(?:mensagem|e-?mail|resposta)~(?:gerad|enviad)[oa]~automaticamente',
    '(?:por favor,? |favor )?não (?:responda|responder|responder) a? ?est[ea]',
  ],
  stop: [
    '(?:cancelar|anular) (?:a )?(?:subscrição|inscrição|assinatura)|descadastr\\w+|chega|basta|sair',
    'stop|pare(?:m)?|parar|chega|sair(?: da lista)?|remover(?:-me)?',
    'remova(?:-me|m-me| me)?',
    'me (?:remova|remove|tira|retire|descadastre|exclua|tirem|removam)(?:m)?',
    'descadastr(?:ar|e-me|em-me|o)',
    'cancelar(?: (?:a )?(?:inscrição|subscrição|assinatura))?|cancelem',
    'não (?:quero|desejo) (?:mais )?(?:receber|e-?mails)?',
    'não (?:me )?(?:enviem|mandem|contactem|contatem|escrevam|envie|mande)(?: mais)?',
    'deixem-me em paz|apaguem os meus dados|exclua-me|excluam-me|retirem-me',
    'anular subscrição',
  ],
  optOut: [
    '(?:quero|desejo|gostaria de|queria|como) (?:faço para )?(?:sair|ser removid|ser retirad|ser excluíd|cancelar|me descadastrar)\\w*|parem? com',
    '(?:peço|pedimos|solicito|agradeço|agradecia|gostaria|favor|prefiro)~(?:não|remov|retir|elimin|descadastr|cess|deix|par|exclu|apagu)\\w*~(?:escrev|contact|contat|envi|mand|receb|lista|dados|e-?mail|endereço|meu|minha|me|nosso|mais)\\w*',
    'não (?:me |nos )?(?:escrev|contact|contat|envi|mand|incomod|perturb|insist|utiliz|us)(?:am|em|a|e|ar|er)(?:-me|-nos)?(?: mais| novamente| este| esta| por favor|[.!,]|$)',
    'não (?:quero|queremos|desejo|pretendo|desejamos) (?:mais )?(?:receber|ser contact|ser contat|e-?mails?|mensagens|saber|nada|isso)\\w*',
    '(?:apag|remov|elimin|exclu|retir|bloque|delet)\\w*~(?:o nosso|nosso|nossa|o meu|meu|minha|este|esta|os meus|meus) (?:domínio|e-?mail|endereço|dados|contato|contacto|empresa|nome)',
    '(?:art(?:igo|\\.)? ?(?:17|21|18))\\b~(?:rgpd|lgpd|regulamento)|não (?:autorizei|autorizo|dei|consenti|pedi)~(?:e-?mail|dados|uso|publicidade|consentimento|autorização|nada|isto|isso|contact|contat|permiss)\\w*',
    '(?:chega|basta|farto|cansad[oa]) (?:de |com )~(?:e-?mails?|mensagens|spam|isto|isso)',
    'não~(?:mand|envi)\\w*~(?:mais nada|nada)|não me volt\\w+ a contact\\w*',
    'me tir[ae]\\w*~|(?:tir|remov|retir|exclu|apag|elimin|descadastr)\\w*[- ]?(?:me|nos)\\b',
    '(?:remov|retir|exclu|apag|elimin|tir)\\w*~(?:meu|minha|meus|nosso|nossos|nossa)~(?:e-?mail|dados|contato|contacto|endereço|nome|base|lista)',
    '(?:não|nunca|jamais)~(?:me|nos|mais)~(?:envi|mand|contat|contact|escrev|perturb|importun)\\w*~',
    'não (?:voltem|volte|tornem|torne) a~',
    'não (?:quero|desejo|pretendo|queremos|desejamos|gostaria)~(?:receb|contat|contact|e-?mails|mensagens|publicidade)\\w*',
    '(?:par|cess|deix)\\w+ (?:de|com)~(?:envi|mand|escrev|contat|contact|spam|e-?mail|incomod)\\w*',
    '(?:lgpd|rgpd|anpd|cnpd)|(?:oponho|revogo|retiro)~(?:tratamento|consentimento)',
    '(?:remov|retir|exclu|descadastr|tir|apag|elimin|delet)\\w*[- ]?(?:me|nos|o meu|' +
      'meu|meus|a minha|minha|os meus|nosso)?\\b~(?:lista|base|cadastro|inscrição|' +
      '(?:meus|nossos) dados|meu (?:e-?mail|contato|contacto|endereço|nome)|mailing|' +
      'banco de dados|newsletter)',
    '(?:me|nos) (?:remov|retir|exclu|descadastr|tir)\\w+',
    '(?:remova|retire|exclua|descadastre|removam|retirem|excluam)-(?:me|nos)',
    'descadastr\\w+|cancel\\w+~(?:inscrição|subscrição|assinatura|cadastro)',
    'não (?:me |nos |voltem? a |volte a )?(?:envi|contact|contat|escrev|mand|incomod|' +
      'perturb)\\w*(?:-me|-nos)?~(?:mais|nunca|e-?mails?|mensagens|novamente|nada|[.!]|' +
      '$)',
    '(?:não|deixar de) (?:desej|quer|pretend|gostar|autoriz)\\w*~(?:receb|' +
      'ser conta(?:c)?tad|e-?mails|mensagens|conta(?:c)?to)',
    '(?:par|deix|cess)(?:em|e|ar|ou) (?:imediatamente )?(?:de |com )?(?:me |nos |os |' +
      'o )?(?:envi|mand|escrev|contact|contat|e-?mails|incomod|spam)\\w*',
    '(?:lgpd|rgpd)~(?:exclu|apag|elimin|remo|opo(?!\\p{L}))',
    '(?:exclus|elimina|apaga|excluir|remoç)\\w*~(?:meus|dos meus|nossos|de meus|' +
      'os meus) dados',
    'oponho-me|revogo~consentimento',
    '(?:nada|sem|chega) (?:de )?(?:mais )?(?:e-?mails|mensagens|spam)',
    'denunci\\w+~(?:spam|anpd|cnpd)|não (?:quero|desejo) mais',
  ],
  personal: [
    '(?:mas|neste momento|agora|por enquanto|hoje|de momento|por agora|infelizmente),? (?:ainda )?não (?:temos|precis|faz|é|nos|há|tenho|vamos|estamos interess|quer)\\w*|guardo (?:o )?seu',
    '(?:me|nos) interess\\w+|interessa-(?:me|nos)',
    '(?:tenho|temos|sem|não há) interesse|(?:não )?(?:estou|estamos) interessad[oa]s?',
    '(?:me |nos )?(?:liga|ligue|telefone|ligar|ligue-me|telefone-me)\\b',
    '(?:prefiro|melhor|antes) (?:por|falar|telefone|uma)|por telefone',
    '(?:envi|mand)(?:e|a|em)(?:-me|-nos| me| nos| uma| o| a| mais)\\b',
    '(?:pode|poderia|podem|consegue)m? (?:me |nos )?(?:envi|mand|lig|diz|pass|explic|' + 'dar)\\w*',
    '(?:sua|vossa|a sua|a vossa) (?:proposta|oferta|solução|ferramenta)',
    '(?:preços?|orçamento|cotação|valores|custo|catálogo|tabela)\\b',
    'quanto (?:custa|seria|fica|custaria)',
    '(?:reunião|chamada|call|ligação|conversa|demo)\\b~(?:segunda|terça|quarta|' +
      'quinta|sexta|semana|amanhã|próxim|dia(?!\\p{L}))',
    '(?:segunda|terça|quarta|quinta|sexta|amanhã)~(?:pode|funciona|está bom|para mim|' +
      'é melhor)',
    'já (?:temos|trabalhamos|usamos|tenho)',
    'não (?:é o momento|precisamos|temos (?:interesse|necessidade|orçamento)|' + 'sou a pessoa)',
    'no momento não|de momento não',
    '(?:volte|fale|entre|contacte|escreva)~(?:em(?!\\p{L})|depois|próximo|mais tarde)',
    '(?:encaminhei|reencaminhei|passei|falei)\\b',
    '(?:como|onde) (?:conseguiu|obteve|arranjou)',
  ],
  talk: [
    '(?:tenho|temos|posso|podemos|acho|preciso|quero|queremos|gostaria|gostaríamos|' +
      'vou|vamos|estou|estamos)\\b',
    '(?:vocês|tem|têm|podem|pode|oferecem|fazem)\\b',
    '(?:sim|não|obrigad[oa]|perfeito|claro|ok|combinado)\\b[,.!]|infelizmente',
    'meu colega|em anexo|por enquanto',
  ],
  keeps: [
    '(?:me |nos )?(?:liga|ligue|ligar|telefone|ligue-me|telefone-me|ligue-nos)\\b',
    '(?:melhor|prefiro|só(?!\\p{L})|apenas|antes)~(?:por(?!\\p{L})|telefone|lig\\w*|e-?mail|' +
      'whatsapp|conversar)',
    'por (?:telefone|e-?mail|escrito|whatsapp)|e-?mail~(?:melhor|funciona|prefer)',
    'interess\\w+',
    '(?:envi|mand)\\w+~(?:proposta|orçamento|preços|tabela|detalhes|informações|' +
      'catálogo|oferta)',
    'quanto (?:custa|fica|seria)|com prazer|reunião',
    '(?:fale|contacte|volte|escreva)~(?:em(?!\\p{L})|depois|próxim|mais tarde)',
  ],
  polite: [
    'não,?(?: obrigad[oa])?|sem interesse|não (?:tenho interesse|me interessa)',
    '(?:olá|oi|bom dia|boa (?:tarde|noite)|car[oa]s?|prezad[oa]s?|estimad[oa]s?)' +
      '(?: \\w+){0,3}',
    'por favor|por gentileza|favor|obrigad[oa]',
    '(?:com os melhores |melhores )?cumprimentos|atenciosamente|att|abraços?|grat[oa]',
    'imediatamente|já',
  ],
  urgent: [
    'urg[eê]n|em caso|para (?:qualquer|assuntos|quest)',
    'se (?:precisar|for|necess|o seu|a sua)|caso (?:precise|necessite|seja)',
    'entretanto|enquanto|durante|na minha ausência|emergência',
  ],
};
