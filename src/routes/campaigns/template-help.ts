/** How templates of messages are written, in the words of the document. */
import { TEMPLATE_VARIABLES } from '../../domain/campaigns/templates.ts';

/** Used in the OpenAPI document. */
export const templateHelp = `Templates are text, or HTML where they hold tags; the other part is made \
from it. Variables, each with an optional fallback (\`{{firstName|there}}\`):

${Object.entries(TEMPLATE_VARIABLES)
  .map(([name, words]) => `- \`{{${name}}}\`: ${words}`)
  .join('\n')}
- \`{{custom.name}}\`: A custom field of the lead; numbers and days as the campaign's \`language\` writes them

Without a fallback an empty value leaves no gap ("Hi," instead of "Hi ,"). \`{Hi|Hello|Hey}\` takes \
one of the options, at any depth and the same at every attempt. Anything else in double braces is 400 \
\`VALIDATION_ERROR\`, naming it. The sender's name, the postal address and the unsubscribe link are \
added to every message; with \`{{unsubscribeUrl}}\` the link stands where you put it.`;
