import type { Holdings } from "./service";

/** What the service told, for a review. */
export interface Told {
  holdings: Holdings;
  /** Account groups concerned. */
  aids: string[];
  /** Account group of resources that name none. */
  fallback: string | undefined;
}
