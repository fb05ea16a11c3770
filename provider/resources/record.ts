import type { z } from "zod";
import { RecordBehaviour } from "../record-behaviour";
import type { RecordKind } from "../record-kind";
import type { commonInputs } from "./common";

/** Declares a kind of record. */
export function recordKind<S extends z.ZodObject<typeof commonInputs>, R extends object, X extends object>(
  declaration: Omit<RecordKind<S, R, X>, "behaviour" | "outputs" | "controls" | "stateOnly" | "origin">,
): RecordKind<S, R, X> {
  return {
    ...declaration,
    controls: ["adopt"] as RecordKind<S, R, X>["controls"],
    stateOnly: [],
    origin: "made",
    behaviour(session) {
      return new RecordBehaviour(this, session);
    },
  };
}
