import { classOfToken, nativeToken, typeToken } from "../sdk/token";
import { type Front, fronts } from "./front";

/** The type token of a class. */
export function tokenOf(front: Front, className: string): string {
  return front === "native" ? nativeToken(className) : typeToken(className);
}

/** The front behind one of our type tokens; undefined for any other token. */
export function frontOfToken(token: string): Front | undefined {
  const className = classOfToken(token);
  return className === undefined ? undefined : fronts.find((front) => tokenOf(front, className) === token);
}
