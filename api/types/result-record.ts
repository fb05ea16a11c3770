// Written by `npm run generate` from the schemas; change it there.

/** Quality as users feel it. */
export interface ApplicationScore {
  /** Quality as a number; 100 is the best (inferred). */
  applicationScore?: number;
  /** Quality in words: `great`, `good` or `poor`. */
  quality?: string;
}

/** Where the agent was. */
export interface Coordinates {
  /** Degrees north, negative in the south. */
  latitude?: number;
  /** Name of the place. */
  location?: string;
  /** Degrees east, negative in the west. */
  longitude?: number;
}
