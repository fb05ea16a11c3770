// `npm run generate` writes this file from the schemas in api/schemas.

/** A link to a record or a page. */
export interface Link {
  /** Absolute URL, or a path below the base URL. */
  href: string;
}

/** Links of a record, list or response. */
export interface SelfLinks {
  /** Link to the record itself. */
  self?: Link;
}

/** Links of a page. An unreadable link to the next page causes an error, because the client would otherwise miss further pages. */
export interface PageLinks {
  /** Link to the page itself. */
  self?: Link;
  /** Link to the next page, absent on the last page. */
  next?: Link;
}

/** The members of all known error formats (docs/service/errors.md, Shapes). */
export interface ErrorBody {
  /** URI that identifies the type of the problem. */
  type?: string;
  /** Short summary of the problem. */
  title?: string;
  /** HTTP status of the response. */
  status?: number;
  /** Description of the specific problem. */
  detail?: string;
  /** Location of the problem, usually the path of the request. */
  instance?: string;
  /** The problems, one for each invalid member. */
  errors?: (
    | string
    | {
        /** Code of the problem, if the service defines a code. */
        code?: string;
        /** Name of the invalid member. */
        field?: string;
        /** Description of the problem. */
        message?: string;
      }
  )[];
  /** Error code of OAuth 2.0, such as `invalid_token`. */
  error?: string;
  /** Description of the OAuth 2.0 error. */
  error_description?: string;
  /** Description of an error that a gateway reported before the request reached the service. */
  errorMessage?: string;
}
