// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** Assignments of one tag, as answered. The answer has no status of an item, so what was assigned shows only in a later read. */
export interface AssignedTag {
  /** Identifier of the tag. */
  tagId: string;
  /** Objects of the request. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** The type of the object. */
    type?: string;
  }[];
  /** Links of the tag. */
  _links?: SelfLinks;
}

/** The same of several tags. */
export interface AssignedTags {
  /** Tags, each with its objects. */
  tags: AssignedTag[];
  /** Links of the answer. */
  _links?: SelfLinks;
}
