import type * as pulumi from "@pulumi/pulumi";

/** Target and limits of an HTTP server test. */
export interface HttpProperties {
  /**
   * URL of the target, with the scheme `http` or `https`. The URL must contain the port unless the port is the scheme's
   * default. Without a scheme, the service assumes `https`.
   */
  url: pulumi.Input<string>;
  /** Timeout of a request in milliseconds, at least 1. Default: 5000. A change replaces the test. */
  httpTimeLimit?: pulumi.Input<number> | undefined;
  /**
   * Target response time in milliseconds, at least 1. The ThousandEyes UI shows slower results in a different color. The
   * service never returns the target response time, so this package cannot detect drift. Default: 1000. A change replaces the
   * test.
   */
  targetResponseTime?: pulumi.Input<number> | undefined;
  /**
   * TLS version: `0` (automatic), `3` (SSLv3), `4` (TLS 1.0), `5` (TLS 1.1), `6` (TLS 1.2) or `7` (TLS 1.3). Default: `0`. A
   * change replaces the test.
   */
  sslVersionId?: pulumi.Input<"0" | "3" | "4" | "5" | "6" | "7"> | undefined;
  /** Whether agents verify the server's certificate. Default: true. A change replaces the test. */
  verifyCertificate?: pulumi.Input<boolean> | undefined;
  /** Whether agents also measure the network path. Default: true. A change replaces the test. */
  networkMeasurements?: pulumi.Input<boolean> | undefined;
  /**
   * Whether agents trace the path inside an established TCP session. If omitted, the service chooses the value. A change
   * replaces the test.
   */
  hasPathTraceInSession?: pulumi.Input<boolean> | undefined;
}

/**
 * HTTP authentication that agents use to access the target. `HttpAuthenticationArgs` defines the allowed combinations of
 * properties.
 */
export interface HttpAuthentication {
  /** Method of HTTP authentication. Default: `none`. A change replaces the test. */
  authType?: "none" | "basic" | "ntlm" | undefined;
  /** User name for `authType: "basic"` or `"ntlm"`. A change replaces the test. */
  username?: pulumi.Input<string> | undefined;
  /**
   * Password for `authType: "basic"` or `"ntlm"`. Always a secret. The service never returns the password, so this package
   * cannot detect drift. After an import, the next update only stores the declared password in the state. A change replaces the
   * test.
   */
  password?: pulumi.Input<string> | undefined;
}

/** Authentication with a user name, and with a password if the server requires a password. */
export interface UserAuthentication extends HttpAuthentication {
  authType: "basic" | "ntlm";
  username: pulumi.Input<string>;
}

/** Agents do not authenticate. */
export interface NoAuthentication extends HttpAuthentication {
  authType?: "none" | undefined;
  password?: undefined;
}

/** Authentication method, with its credentials. */
export type HttpAuthenticationArgs = UserAuthentication | NoAuthentication;

/** Properties of `HttpProperties` and `HttpAuthentication` that have a default. */
export type HttpDefaults =
  | "authType"
  | "httpTimeLimit"
  | "targetResponseTime"
  | "sslVersionId"
  | "verifyCertificate"
  | "networkMeasurements";
