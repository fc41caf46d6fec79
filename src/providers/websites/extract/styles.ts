/** What styles mean for reading a page as text. */

const HIDDEN_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px)?\s*(?:;|$)/i;
const REVERSED_STYLE = /direction\s*:\s*rtl|unicode-bidi\s*:\s*bidi-override/i;

export const isHiddenStyle = (style: string): boolean => HIDDEN_STYLE.test(style);
export const isReversedStyle = (style: string): boolean =>
  REVERSED_STYLE.test(style) && /unicode-bidi/i.test(style);

/** Classes that the page's own style sheets hide or turn around. */
export interface StyledClasses {
  hidden: Set<string>;
  reversed: Set<string>;
}

const MAX_RULES = 5_000;

/** Notes the plain `.name` selectors of a style sheet; anything finer is left to browsers. */
export function readStyleSheet(css: string, classes: StyledClasses): void {
  if (!/bidi-override|display\s*:\s*none/i.test(css)) return;
  for (const rule of css.split('}', MAX_RULES)) {
    const open = rule.lastIndexOf('{');
    // A rule behind `@media` holds on some screens only.
    if (open < 0 || rule.length > 4_000 || rule.lastIndexOf('{', open - 1) >= 0) continue;
    const body = rule.slice(open + 1);
    const isHidden = /display\s*:\s*none/i.test(body);
    const isReversed = isReversedStyle(body);
    if (!isHidden && !isReversed) continue;
    for (const selector of rule.slice(0, open).split(',')) {
      const name = /^[a-z]*\.([\w-]+)$/i.exec(selector.trim())?.[1];
      if (name) (isHidden ? classes.hidden : classes.reversed).add(name);
    }
  }
}
