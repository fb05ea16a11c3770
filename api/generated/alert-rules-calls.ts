// `npm run generate` writes this file from the schemas in api/schemas.
import type { AlertRuleList, AlertRuleRecord, AlertRuleRequest } from "./alert-rules";

/** Operations of `client.alertRules`. */
export interface AlertRulesCalls {
  /** `GET /v7/alerts/rules` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AlertRuleList>;
  /** `POST /v7/alerts/rules` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AlertRuleRequest;
    signal?: AbortSignal;
  }) => Promise<AlertRuleRecord>;
  /** `GET /v7/alerts/rules/{ruleId}` */
  readonly get: (request: {
    path: { ruleId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AlertRuleRecord>;
  /** `PUT /v7/alerts/rules/{ruleId}` */
  readonly update: (request: {
    path: { ruleId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AlertRuleRequest;
    signal?: AbortSignal;
  }) => Promise<AlertRuleRecord>;
  /** `DELETE /v7/alerts/rules/{ruleId}` */
  readonly delete: (request: {
    path: { ruleId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
