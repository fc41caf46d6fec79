/** Row shapes of maps runs. */

export interface MapsTables {}
