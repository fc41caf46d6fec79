/** Row shapes of ranges of suppressions. */

/** Entries of an account, 200 after another when it was written, and the parts of texts that they have at most. */
export interface SuppressionRangesTable {
  source: 'suppressions' | 'lifted_suppressions';
  user_id: string;
  from_id: number;
  to_id: number;
  parts: string;
}

/** Up to which entry ranges have been looked for, among all accounts. */
export interface SuppressionRangeMarksTable {
  source: SuppressionRangesTable['source'];
  seen_id: number;
}

/** Entries that are gone since, by triggers; their ranges are written anew. */
export interface SuppressionRangeGapsTable {
  source: SuppressionRangesTable['source'];
  user_id: string;
  id: number;
}

export interface RangeTables {
  suppression_ranges: SuppressionRangesTable;
  suppression_range_marks: SuppressionRangeMarksTable;
  suppression_range_gaps: SuppressionRangeGapsTable;
}
