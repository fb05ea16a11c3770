import { isObject } from "../../provider/values";

/** Why something failed on this machine, without the call and the path that Node appends. */
export function reasonOf(error: unknown): string {
  const message = isObject(error) && typeof error["message"] === "string" ? error["message"] : String(error);
  return message.replace(/, \w+ '.*$/s, "");
}
