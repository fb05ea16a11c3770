import type ts from "typescript";
import type { Position } from "../common/position";
import type { Acceptance, AcceptedResource, PlacedEdit, ObservedResource } from "./acceptance";
import { adviceFor } from "./advice";
import { applied, type ChangedFile } from "./text-edits";
import { positionOf } from "./declarations";
import { Instances, type Instance } from "./instances";
import { notAlike, Planner, type PropertyPlan, type ResourceChange } from "./property-plan";
import type { ProgramSource } from "./program-source";
import { SourceReferences } from "./source-references";
import { keyOfChange } from "./rewriter";
import { Sharing } from "./sharing";
import { attempt, Refusal } from "./value";
import { appliedToYaml } from "./yaml-edits";
import { isYaml } from "./yaml-source";

interface Located extends ObservedResource {
  at: readonly Instance[] | Refusal;
}

interface Planned {
  readonly instance: Instance;
  readonly property: string;
  /** The changes to the property: one change for each stack that shares the declaration. */
  readonly changes: readonly ResourceChange[];
  readonly resources: readonly ObservedResource[];
  plan: PropertyPlan | undefined;
  refused: Refusal | undefined;
}

/**
 * Edits a program so that it declares the observed resources. If the program does not allow the edit of a property, the declaration of that
 * resource stays unchanged.
 */
export class Acceptor {
  readonly #instances: Instances;
  readonly #sharing: Sharing;

  constructor(private readonly source: ProgramSource) {
    this.#instances = new Instances(source);
    this.#sharing = new Sharing(this.#instances);
  }

  /**
   * Finds the edits that make the program declare the observed resources, without writing files.
   *
   * @param observed all resources of this package in the stacks that run the program. The edits must not affect resources without changes
   * @param ignored resources with declarations that must not change
   */
  accept(observed: readonly ObservedResource[], ignored: ReadonlySet<AcceptedResource> = new Set()): Acceptance {
    const located = observed.map((item): Located => ({ ...item, at: this.#instances.locate(item.resource) }));
    const planned = this.#planned(located);
    const undeclared = located.filter(({ at, changes }) => at instanceof Refusal && changes.length > 0);
    const excluded = new Set([...ignored, ...undeclared.map(({ resource }) => resource)]);
    while (this.#drops(planned, excluded));
    const accepted = located.filter((item) => !ignored.has(item.resource));
    return this.#report(accepted, planned, this.#applied(planned.flatMap(({ plan }) => plan ?? [])));
  }

  #planned(located: readonly Located[]): Planned[] {
    const ofInstance = new Map<Instance, Located[]>(this.#instances.all.map((instance) => [instance, []]));
    const declared = located.flatMap((item) => {
      const instances = item.at instanceof Refusal ? [] : item.at;
      for (const instance of instances) ofInstance.get(instance)?.push(item);
      return instances.slice(0, 1).map(({ declaration }) => [item.resource, declaration] as const);
    });
    const references = new SourceReferences(this.source, this.#instances.symbols, declared);
    const planner = new Planner(this.#sharing, references);
    return [...ofInstance].flatMap(([instance, resources]) => {
      const changesOfAll = resources.flatMap((item) => item.changes.map((change) => ({ resource: item.resource, change })));
      return [...Map.groupBy(changesOfAll, ({ change }) => change.property)].map(([property, changes]): Planned => {
        const result = attempt(() => planner.plan(instance, changes, resources));
        const [plan, refused] = result instanceof Refusal ? [undefined, result] : [result, undefined];
        return { instance, property, changes, resources, plan, refused };
      });
    });
  }

  /**
   * Drops plans that would change an excluded resource. If an edit is refused, the method drops all plans for the same resource.
   *
   * @param excluded resources that must not change. The method adds each resource with a refused edit to the set
   * @returns whether a plan was dropped
   */
  #drops(planned: readonly Planned[], excluded: Set<AcceptedResource>): boolean {
    let changed = false;
    for (const item of planned) {
      const count = item.changes.filter(({ resource }) => excluded.has(resource)).length;
      if (count > 0 && count < item.changes.length) item.refused ??= notAlike(item.instance, item.resources);
      if (count > 0 || item.refused) item.plan = undefined;
      if (!item.refused || count === item.changes.length) continue;
      for (const { resource } of item.changes) excluded.add(resource);
      changed = true;
    }
    const ofInstance = Map.groupBy(planned, ({ instance }) => instance);
    const wanted = new Map(planned.map((item) => [item, new Set(item.plan?.changes.map(keyOfChange))]));
    for (const item of planned) {
      for (const change of item.plan?.changes ?? []) {
        const key = keyOfChange(change);
        const conflicts = this.#sharing.of(change).filter(({ instance, property }) => {
          return !ofInstance.get(instance)?.some((plan) => plan.property === property && wanted.get(plan)?.has(key));
        });
        if (conflicts.length === 0) continue;
        changed = true;
        if (item.plan?.instead) item.plan = { ...item.plan, changes: item.plan.instead, instead: undefined };
        else item.refused = new Refusal(this.#sharing.reason(item.instance, conflicts), change.node);
        break;
      }
    }
    return changed;
  }

  #applied(plans: readonly PropertyPlan[]): Map<string, ChangedFile> {
    const changes = new Map(plans.flatMap((plan) => plan.changes.map((change) => [keyOfChange(change), change])));
    const byFile = Map.groupBy(changes.values(), ({ node }) => node.getSourceFile());
    const files = [...byFile].map(([file, edits]): [string, ChangedFile] => {
      const here = plans.filter((plan) => plan.changes.some(({ node }) => node.getSourceFile() === file));
      const imports = here.flatMap((plan) => plan.imports);
      return [file.fileName, isYaml(file) ? appliedToYaml(file, edits) : applied(this.source, file, edits, imports)];
    });
    return new Map(files);
  }

  #report(located: readonly Located[], planned: readonly Planned[], files: ReadonlyMap<string, ChangedFile>): Acceptance {
    const edited = new Instances(this.source.with([...files].map(([path, { text }]) => [path, text])));
    const instances = new Map(this.#instances.all.map((instance, i) => [instance, edited.all[i] ?? instance]));
    const edits = [...files].map(([path, { text }]) => ({ path, before: this.source.text(path) ?? "", after: text }));
    const acceptance: Acceptance = { edits, placed: [], same: [], refused: [] };
    const byResource = Map.groupBy(
      planned.flatMap((item) => item.changes.map(({ resource }) => ({ item, resource }))),
      ({ resource }) => resource,
    );
    for (const { resource, changes, at } of located) {
      const plansOfResource = (byResource.get(resource) ?? []).map(({ item }) => item);
      const isAccepted = plansOfResource.every(({ refused }) => !refused);
      for (const change of changes) {
        const { property } = change;
        const plans = plansOfResource.filter((item) => item.property === property);
        const refused = at instanceof Refusal ? at : plans.find((item) => item.refused)?.refused;
        if (refused) {
          const position = refused.node && placeNow(refused.node, files);
          const advice = adviceFor(resource, change, refused);
          acceptance.refused.push({ resource, property, reason: refused.why, advice, ...(position && { position }) });
        } else if (isAccepted && plans[0]) {
          const { instance, plan } = plans[0];
          const list = plan && plan.changes.length > 0 ? acceptance.placed : acceptance.same;
          list.push({ resource, property, ...placeOf(edited, instances.get(instance) ?? instance, property) });
        }
      }
    }
    return acceptance;
  }
}

function placeNow(node: ts.Node, files: ReadonlyMap<string, ChangedFile>): Position {
  const { fileName: file } = node.getSourceFile();
  const changed = files.get(file);
  if (!changed) return positionOf(node);
  const lines = changed.text.slice(0, changed.moved(node.getStart())).split("\n");
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function placeOf(instances: Instances, instance: Instance, property: string): Pick<PlacedEdit, "position" | "ranges"> {
  const value = instances.memberOf(instance, property);
  const { node } = instance.declaration;
  const written = value?.how === "missing" ? value.object.node : value?.node.parent;
  const parts = value?.set && written ? [value.set.property, written, node] : [node];
  const ranges = parts.map((part) => ({ file: part.getSourceFile().fileName, start: part.getStart(), end: part.end }));
  return { position: positionOf(parts[0] ?? node), ranges };
}
