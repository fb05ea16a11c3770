import type { EngineStep } from "../../engine/preview-output";
import type { Random } from "../chaos/row";
import { step } from "../cli/review-support";

/** Returns a plan of some resources, each with one of a few changes. Some deletes and creates are renames. */
export function randomPlan(random: Random, size = 40): EngineStep[] {
  return Array.from({ length: size }, (_, at): EngineStep => {
    const name = `${random.of(["a", "b"])}-${at}`;
    const kind = random.of(["httpServerTest", "agentToServerTest", "label"] as const);
    const target = kind === "httpServerTest" ? { url: `https://${name}.example.com` } : { server: `${name}.example.com` };
    const before = kind === "label" ? { name, matchType: "or", filters: [] } : { testName: name, interval: 60, ...target };
    const id = String(at + 1);
    const protect = random.isOne(5);
    const changed = kind === "label" ? { color: random.of(["#000000", "#ffffff"]) } : { interval: random.of([120, 300, 600]) };
    switch (random.of(["update", "update", "update", "create", "delete", "replace", "options"])) {
      case "create":
        return step("create", kind, name, { after: before });
      case "delete":
        return step("delete", kind, name, { id, before, protect, rest: { retainOnDelete: random.isOne(4) } });
      case "replace":
        return kind === "label"
          ? step("update", kind, name, { id, before, after: { ...before, ...changed }, protect })
          : step("replace", kind, name, {
              id,
              before,
              after: { ...before, isPrioritized: true },
              protect,
              reasons: ["isPrioritized"],
            });
      case "options":
        return step("same", kind, name, { id, before, after: before, protect, protectNow: !protect });
      default:
        return step("update", kind, name, { id, before, after: { ...before, ...changed }, protect });
    }
  });
}
