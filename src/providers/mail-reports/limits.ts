/** Bounds of reports, so that no stranger's file costs more than a moment. */

/** Of one file as it came, and of what is unpacked from it. Reports of the largest reporters have some MB. */
export const MAX_PACKED_BYTES = 5 * 1_024 * 1_024;
export const MAX_UNPACKED_BYTES = 20 * 1_024 * 1_024;
/** Files of one message, and entries of one archive, that are looked at. */
export const MAX_FILES = 10;
export const MAX_ENTRIES = 20;
/** Records of one report. */
export const MAX_ROWS = 20_000;
/** Elements within each other; the format has seven. */
export const MAX_DEPTH = 16;
/** Of one text within an element. */
export const MAX_TEXT_CHARS = 1_000;
/** Messages or connections of one row; more is no number of a real report. */
export const MAX_COUNT = 1_000_000_000;

/** A file that cannot be used as a report; its message is for people. */
export class Unusable extends Error {}
