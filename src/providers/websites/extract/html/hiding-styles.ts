/** How the declarations of a style hide an element. */

/**
 * `closed`: as menus and accordions are until a script opens them. `faded`: as elements are before they
 * fade in. `tiny`: with font size 0, as a row of boxes may be whose letters have their own size.
 * `unseen`: in ways that no script reverses: off the screen, clipped to nothing, a dot, or in the
 * colour of the background.
 */
export type Hiding = 'closed' | 'faded' | 'tiny' | 'unseen';

const REVERSED_STYLE = /direction\s*:\s*rtl|unicode-bidi\s*:\s*bidi-override/i;
export const isReversedStyle = (style: string): boolean =>
  REVERSED_STYLE.test(style) && /unicode-bidi/i.test(style);

/** A style sheet without any of these hides nothing. */
export const MAY_HIDE =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*(?:0|\.0)|clip(?:-path)?\s*:|-\d{3}|-\d+em|scale\(0|font-size\s*:\s*(?:0(?!\.?[1-9])|1px)|(?:width|height)\s*:\s*[01](?![.\d])/i;
const MAY_VANISH = /(?:^|[\s;])color\s*:/i;

/** How `style` hides what is on the background `ground` (a colour); null for styles that do not. */
export function hidingOf(style: string, ground?: () => string | null): Hiding | null {
  if (!MAY_HIDE.test(style) && !MAY_VANISH.test(style)) return null;
  const has = declarationsOf(style);
  if (isUnseen(has) || isOfGroundsColour(has, ground)) return 'unseen';
  if (has['display'] === 'none' || /^(?:hidden|collapse)$/.test(has['visibility'] ?? ''))
    return 'closed';
  if (isClipping(has) && [has['height'], has['max-height'], has['width']].some(isDot))
    return 'closed';
  if (/scale\(0[,)]/.test(has['transform'] ?? '')) return 'closed';
  if (has['font-size'] !== undefined && pixels(has['font-size']) <= 1) return 'tiny';
  // An element that moves while it appears is no decoy.
  return isTransparent(has) && !has['transform'] && !has['filter'] ? 'faded' : null;
}

type Declarations = Record<string, string>;
const MAX_DECLARATIONS = 60;

function declarationsOf(style: string): Declarations {
  const found: Declarations = {};
  for (const declaration of style.toLowerCase().split(';', MAX_DECLARATIONS)) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim();
    found[name] = declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
  }
  return found;
}

function isUnseen(has: Declarations): boolean {
  if (isBesideScreen(has) || isClippedAway(has)) return true;
  const isNothing = isDot(has['width']) && isDot(has['height']);
  if (isNothing && (isClipping(has) || isTransparent(has))) return true;
  const isOutOfFlow = /^(?:absolute|fixed)$/.test(has['position'] ?? '');
  const isUntouchable = has['pointer-events'] === 'none' || (has['z-index'] ?? '').startsWith('-');
  return isTransparent(has) && (isNothing || (isOutOfFlow && isUntouchable));
}

const isTransparent = (has: Declarations): boolean =>
  has['opacity'] !== undefined && Number.parseFloat(has['opacity']) === 0;
const isClipping = (has: Declarations): boolean =>
  /hidden|clip/.test(
    `${has['overflow'] ?? ''} ${has['overflow-y'] ?? ''} ${has['overflow-x'] ?? ''}`,
  );
const isDot = (size: string | undefined): boolean => size !== undefined && pixels(size) <= 1;

/** No screen is that wide or high. */
const FAR_PX = -900;
const SIDES = ['left', 'right', 'top', 'bottom', 'margin-left', 'margin-top'];

function isBesideScreen(has: Declarations): boolean {
  if (SIDES.some((side) => pixels(has[side]?.split(' ')[0]) <= FAR_PX)) return true;
  const moved = /translate(?:3d|x|y)?\(\s*(-[\d.]+\w+)/.exec(has['transform'] ?? '')?.[1];
  if (pixels(moved) <= FAR_PX) return true;
  // An icon replaces text that is indented off the screen.
  const hasIcon = /url\(|gradient/.test(
    `${has['background'] ?? ''}${has['background-image'] ?? ''}`,
  );
  return pixels(has['text-indent']) <= FAR_PX && !hasIcon;
}

const isClippedAway = (has: Declarations): boolean =>
  /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)$/.test(
    has['clip'] ?? '',
  ) || /^(?:inset\(\s*(?:50|100)%|circle\(\s*0)/.test(has['clip-path'] ?? '');

function isOfGroundsColour(has: Declarations, ground?: () => string | null): boolean {
  const letters = colourOf(has['color']);
  // Letters painted by a gradient have no colour of their own.
  if (letters === null || /text/.test(`${has['background-clip']}${has['-webkit-background-clip']}`))
    return false;
  if (letters === 'transparent') return has['text-shadow'] === undefined;
  const own = has['background-color'] ?? has['background'];
  return letters === (own === undefined ? ground?.() : colourOf(own));
}

/**
 * The background colour that `style` paints; null where it is not a colour, undefined where it paints
 * nothing.
 */
export function groundsColour(style: string): string | null | undefined {
  if (!/background/i.test(style)) return undefined;
  const has = declarationsOf(style);
  return colourOf(has['background-color'] ?? has['background']);
}

const NAMED: Record<string, string> = { white: '#ffffff', black: '#000000' };

/** A colour in canonical form; null for what is none. */
export function colourOf(value: string | undefined): string | null {
  if (!value) return null;
  const text = value.replaceAll(/\s+/g, '');
  const [, red, green, blue] = /^#([\da-f])([\da-f])([\da-f])$/.exec(text) ?? [];
  if (red) return `#${red}${red}${green}${green}${blue}${blue}`;
  if (/^(?:transparent|rgba\(\d+,\d+,\d+,0(?:\.0+)?\)|#[\da-f]{6}00)$/.test(text))
    return 'transparent';
  const parts = /^rgba?\((\d+),(\d+),(\d+)(?:,1)?\)$/.exec(text);
  if (parts)
    return `#${parts
      .slice(1)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`;
  return /^#[\da-f]{6}$|^[a-z]+$/.test(text) ? (NAMED[text] ?? text) : null;
}

/** NaN for what is not a length: every comparison with it is false. */
function pixels(length: string | undefined): number {
  const [, size, unit = ''] = /^(-?[\d.]+)(px|em|rem|pt|vw|vh|%)?$/.exec(length ?? '') ?? [];
  return Number(size ?? Number.NaN) * (PIXELS[unit] ?? 1);
}

const PIXELS: Record<string, number> = { em: 16, rem: 16, vw: 10, vh: 10, '%': 10 };
