/** Spintax: takes one option of each group, the same one at every attempt of a message. */
import { choose } from '../seeded-choice.ts';
import type { TemplateNode, VariableNode } from './template-syntax.ts';

/** The template with its choices made: texts and variables in order. */
export function spin(nodes: readonly TemplateNode[], seed: string): (string | VariableNode)[] {
  return nodes.flatMap((node, index) => {
    if (typeof node === 'string' || !('options' in node)) return [node];
    const { options } = node;
    const own = `${seed}.${index}`;
    return spin(options[choose(own, options.length)]!, own);
  });
}
