/** Matches names of members whose values are always secret. */
const secretMembers =
  /^(password|access_token|refresh_token|client_secret|service_bearer_token|connectionString|apiToken|token)$/i;

export const masked = "[secret]";

/** Returns a JSON value without known secrets and without the values of secret members. */
export function mask(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") {
    const known = secrets.reduce((text, secret) => text.replaceAll(secret, masked), value);
    return known.replaceAll(/((?:client_secret|access_token|service_bearer_token)=)[^&\s]+/g, `$1${masked}`);
  }
  if (Array.isArray(value)) return value.map((item) => mask(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const hidden = secretMembers.test(name) && typeof member === "string";
      return [name, hidden ? masked : mask(member, secrets)];
    }),
  );
}
