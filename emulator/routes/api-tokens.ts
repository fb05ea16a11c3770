import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { Problem } from "../problem";
import { date } from "../date";

export const apiTokenRoutes = [
  handle(
    operations.apiTokens.regenerate,
    ({ caller, service }) => {
      const made = service.tokens.regenerate(caller);
      if (!made) throw new Problem(409, "The token before the last one is still valid. Wait until it expires.");
      return { body: { bearerToken: made.token, validUntil: date(made.validUntil) } };
    },
    // The user of any token may create another token.
    { permission: "none" },
  ),
];
