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

/** Links of a page. A page is not read if they are not readable: records would be missed. */
export interface PageLinks {
  /** Link to the page itself. */
  self?: Link;
  /** Link to the following page; absent on the last one. */
  next?: Link;
}

/** The members of every error shape the service is known to answer with (docs/service/errors.md, Shapes). */
export interface ErrorBody {
  /** URI of the kind of problem. */
  type?: string;
  /** Short summary of the problem. */
  title?: string;
  /** HTTP status of the answer. */
  status?: number;
  /** The error in this case. */
  detail?: string;
  /** Where it happened, usually the path of the request. */
  instance?: string;
  /** A problem for each wrong member. */
  errors?: (
    | string
    | {
        /** Code of the problem, where there is one. */
        code?: string;
        /** Member that is wrong. */
        field?: string;
        /** The mistake in the field. */
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
