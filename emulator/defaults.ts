/** An emulator's default options and credentials. */
export const defaults = {
  port: 0,
  host: "127.0.0.1",
  clientId: "emulator",
  clientSecret: "emulator-secret",
  /** User API token of the administrator. The token never expires. */
  token: "emulator-token",
  /** User API token of a user with a read-only role. */
  readOnlyToken: "emulator-read-only-token",
  /** User API token of a user who may edit but not view agents' personal data. */
  editorToken: "emulator-editor-token",
  tokenLifetimeSeconds: 3600,
  /** Requests per minute (docs/service/requests.md, Rate limits). */
  rateLimit: 240,
  uniqueTestNames: false,
  urlPort: "added",
  pageSize: 100,
  agents: 25,
  nights: false,
  speed: 1,
  transferDelayMs: 300,
} as const;
