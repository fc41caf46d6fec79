/** How a script may find a hidden element to show it: its names, and who uses them. */
import type { StyleRules } from '../html/style-sheets.ts';

/** `strong`: it is shown at some time. `weak`: it has a name that nothing on the page uses. */
export type Handle = 'strong' | 'weak' | 'none';

/** Usual names of elements that open and close, appear or move. */
const OPENS =
  /(?:^|[\s_-])(?:menu|sub-?menu|nav\w*|tabs?|tab-?\w+|pane|panels?|accordion\w*|collaps\w*|toggle\w*|modal\w*|pop-?up\w*|popover|drop-?down\w*|drawer|dialog|off-?canvas|overlay|lightbox|fly-?out|side-?bar|mobile|desktop|tablet|slid\w+|carousel|swiper\w*|owl\w*|reveal\w*|wow|aos\w*|anim\w+|fade\w*|faq\w*|answer|expand\w*|details?|content|tool-?tip|info-?window|marker|sticky|hover\w*|step|page|section|screen|lang|js|no-?js|lazy\w*|preload\w*|loader|spinner|wizard|elementor\w*|et_\w+|vc_\w+|fusion\w*|w-\w+|splash|intro)(?:$|[\s_-])/i;

/** Whether an element with such classes opens, or holds what does: `mobileMenu` like `mobile-menu`. */
export const opens = (classes: string): boolean =>
  OPENS.test(classes.slice(0, 500).replaceAll(/([a-z])([A-Z])/g, '$1-$2'));

/** Attributes that scripts and frameworks use. */
const WORKS =
  /\s(?:data-(?!nosnippet)[\w-]+|x-[\w:.-]+|v-[\w:.-]+|ng-[\w-]+|[:@#*][\w.-]+|wire:[\w.-]+|on[a-z]+|popover|aria-(?!hidden|label)[\w-]+)\s*[=\s>/]|\srole\s*=\s*["']?(?:tabpanel|dialog|alertdialog|menu|region|listbox|tooltip|group|navigation)/i;

const MAX_NAMES = 6;

/** `tag` is the element's start tag as it is written. */
export function handleOf(tag: string, names: string[], page: NamesInUse): Handle {
  if (opens(names.join(' ')) || WORKS.test(tag)) return 'strong';
  if (names.length === 0) return 'none';
  return names.slice(0, MAX_NAMES).some((name) => page.isUsed(name)) ? 'strong' : 'weak';
}

export interface NamesInUse {
  isUsed(name: string): boolean;
}

/** Each search reads the whole page. */
const MAX_SEARCHES = 40;

/** Classes and ids (without signs) that scripts, links and style sheets of a page show things by. */
export function namesInUse(html: string, rules: StyleRules): NamesInUse {
  const known = new Map<string, boolean>();
  return {
    isUsed(name) {
      const before = known.get(name);
      // A name that is no longer searched is taken for a menu's, as most are.
      if (before !== undefined || known.size >= MAX_SEARCHES) return before ?? true;
      const isUsed = rules.isShown(`.${name}`) || rules.isShown(`#${name}`) || isNamed(html, name);
      known.set(name, isUsed);
      return isUsed;
    },
  };
}

const MAX_PLACES = 200;

/** `href="#name"`, `getElementById('name')`, `$('.name')`: in quotes, but not where it is defined. */
function isNamed(html: string, name: string): boolean {
  let at = html.indexOf(name);
  for (let places = 0; at >= 0 && places < MAX_PLACES; places += 1) {
    const before = html.slice(Math.max(0, at - 60), at);
    const after = html[at + name.length] ?? '';
    const isQuoted = /["'`](?:[\w#. -]*[#. ])?$/.test(before) && !/[\w-]/.test(after);
    const attribute = /([\w-]+)\s*=\s*["'][^"'<>]*$/.exec(before)?.[1];
    if (isQuoted && (attribute === undefined || NAMING.test(attribute))) return true;
    at = html.indexOf(name, at + name.length);
  }
  // A name that is everywhere is in use.
  return at >= 0;
}

/** Attributes, and properties in scripts, that name other elements; `type="hidden"` names none. */
const NAMING = /^(?:href|for|list|aria-(?:controls|owns)|popovertarget|data-[\w-]+|className)$/i;

/** Text for screen readers is part of what visitors learn. */
const FOR_READERS =
  /sr-?only|visually-?hidden|screen-?reader|assistive|a11y|accessib|element-invisible|sr-?text|hide-?visually|for-?screen/i;
export const isForReaders = (names: string[]): boolean => FOR_READERS.test(names.join(' '));

/** Names that mark an element as a trap for robots. */
const TRAP =
  /^(?:trap|decoy)$|(?:^|[_-])(?:honey-?pots?|(?:spam|bot|robot|crawler|harvester)s?[-_]?(?:trap|bait))(?:$|[_\d-])/i;
/** Without a match no class marks a trap. */
export const MAY_TRAP = /pot|trap|bait|decoy/i;
/** Searched in the page first, so that ids are read on few pages only; short ones are found sooner. */
const TRAP_IDS = ['ypot', 'yPot', 'y-pot', 'mtrap', 'mTrap', 'm-trap'];
export const mayHaveTrapIds = (html: string): boolean => TRAP_IDS.some((id) => html.includes(id));
export const isTrap = (names: string[]): boolean => names.some((name) => TRAP.test(name));

/** The classes and the id of a start tag, and what forms call it. */
export const namesOf = (tag: string): string[] =>
  [
    ...tag
      .slice(0, 2_000)
      .matchAll(/\s(?:class|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi),
  ]
    .flatMap(([, double, single, bare]) => (double ?? single ?? bare ?? '').split(/\s+/))
    .filter((name) => name !== '');
