import type * as pulumi from "@pulumi/pulumi";

/** Target and limits of a test of an HTTP server. */
export interface HttpProperties {
  /** URL of the target, `http` or `https`, with any port that is not the scheme's default. Without a scheme the service assumes https. */
  url: pulumi.Input<string>;
  /** Milliseconds after which a request times out, at least 1. Default: 5000. Changing it replaces the test. */
  httpTimeLimit?: pulumi.Input<number> | undefined;
  /**
   * Target response time in milliseconds, at least 1. The product colors slower results. The service never returns it, so drift
   * is not visible. Default: 1000. Changing it replaces the test.
   */
  targetResponseTime?: pulumi.Input<number> | undefined;
  /**
   * TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. Changing it replaces
   * the test.
   */
  sslVersionId?: pulumi.Input<"0" | "3" | "4" | "5" | "6" | "7"> | undefined;
  /** Whether agents verify the server's certificate. Default: true. Changing it replaces the test. */
  verifyCertificate?: pulumi.Input<boolean> | undefined;
  /** Whether agents also probe the network path. Default: true. Changing it replaces the test. */
  networkMeasurements?: pulumi.Input<boolean> | undefined;
  /** Whether agents trace the path inside an established TCP session. If omitted, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession?: pulumi.Input<boolean> | undefined;
}

/** The agents' authentication. `HttpAuthenticationArgs` defines the allowed combinations. */
export interface HttpAuthentication {
  /** HTTP authentication. Default: `none`. Changing it replaces the test. */
  authType?: "none" | "basic" | "ntlm" | undefined;
  /** User name, with `authType: "basic"` or `"ntlm"`. Changing it replaces the test. */
  username?: pulumi.Input<string> | undefined;
  /**
   * Password, with `authType: "basic"` or `"ntlm"`. Always a secret. The service never returns it, so drift is not visible.
   * After an import, the first declared password is only stored in state. Changing it replaces the test.
   */
  password?: pulumi.Input<string> | undefined;
}

/** Agents authenticate with a user name, and a password if the server requires one. */
export interface UserAuthentication extends HttpAuthentication {
  authType: "basic" | "ntlm";
  username: pulumi.Input<string>;
}

/** Agents do not authenticate. */
export interface NoAuthentication extends HttpAuthentication {
  authType?: "none" | undefined;
  password?: undefined;
}

/** The agents' authentication: a method and its credentials. */
export type HttpAuthenticationArgs = UserAuthentication | NoAuthentication;

/** Properties of `HttpProperties` and `HttpAuthentication` that have a default. */
export type HttpDefaults =
  | "authType"
  | "httpTimeLimit"
  | "targetResponseTime"
  | "sslVersionId"
  | "verifyCertificate"
  | "networkMeasurements";
