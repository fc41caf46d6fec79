/** Row shapes of discovery processes. */

export interface DiscoveryTables {}
