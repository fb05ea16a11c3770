// Written by `npm run generate` from the schemas; change it there.

/** A link to a record or a page. */
export interface Link {
  /** Absolute URL, or a path below the base URL. */
  href: string;
}

/** Links of a record. */
export interface SelfLinks {
  /** Link to the record itself. */
  self?: Link;
}

/** Links of a page. Unreadable links make the page unreadable, since records would be missed. */
export interface PageLinks {
  /** Link to the page itself. */
  self?: Link;
  /** Link to the next page; absent on the last one. */
  next?: Link;
}

/** The members of all known error shapes (docs/service/errors.md, Shapes). */
export interface ErrorBody {
  /** URI of the kind of problem. */
  type?: string;
  /** Short summary of the problem. */
  title?: string;
  /** HTTP status of the answer. */
  status?: number;
  /** The error in this case. */
  detail?: string;
  /** Place of the problem, usually the path of the request. */
  instance?: string;
  /** Problems, one for each invalid member. */
  errors?: (
    | string
    | {
        /** Code of the problem, if there is one. */
        code?: string;
        /** Name of the invalid member. */
        field?: string;
        /** Description of the mistake. */
        message?: string;
      }
  )[];
  /** Code in the style of OAuth, such as `invalid_token`. */
  error?: string;
  /** The meaning of the code in this case. */
  error_description?: string;
  /** The error, if a gateway answers in place of the service. */
  errorMessage?: string;
}
