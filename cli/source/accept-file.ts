import type ts from "typescript";
import { type Properties, stable } from "../../provider/values";
import type { Position } from "../engine/state";
import type { AcceptedResource, FileEdit, Reality } from "./accepted";
import { argumentsOf, planOf, type PropertyPlan } from "./accept-property";
import { heldBack } from "./accept-together";
import { declarationsIn, positionOf, type Declaration } from "./declarations";
import { edited, editsOf, type Edit } from "./edits";
import { withImports } from "./imports";
import { parse, type ProgramSource } from "./program";
import { Reader, sameOutline, type Read } from "./read";
import type { References } from "./references";
import { Refusal, Rewriter, type Plan } from "./rewrite";
import { Scope } from "./scope";
import { styleOf, type Style } from "./style";
import { mistakeIn } from "./typescript";

/** A declaration, and the resources that come from it: several where stacks share it. */
export interface Job {
  declaration: Declaration;
  realities: Reality[];
}

/** What became of a property of a resource. */
export interface Outcome {
  resource: AcceptedResource;
  property: string;
  position: Position;
  result: "placed" | "same" | { why: string };
}

/** A property of a declaration, what is to become of it, and why that cannot be. */
interface Planned {
  job: Job;
  property: string;
  resources: AcceptedResource[];
  args?: Extract<Read, { how: "object" }>;
  done?: PropertyPlan;
  refused?: { why: string; node: ts.Node };
}

/** Accepts what is real in one file. */
export class FileAcceptance {
  readonly #text: string;
  readonly #file: ts.SourceFile;
  readonly #scope: Scope;
  readonly #style: Style;

  constructor(
    private readonly source: ProgramSource,
    private readonly references: References,
    private readonly path: string,
    private readonly jobs: readonly Job[],
  ) {
    this.#text = source.texts.get(path) ?? "";
    this.#file = source.file(path) ?? parse(source.ts, path, this.#text);
    this.#scope = source.scope(path) ?? new Scope(source.ts, this.#file);
    this.#style = styleOf(source.ts, this.#file);
  }

  run(): { outcomes: Outcome[]; edit?: FileEdit } {
    const planned = this.jobs.flatMap((job) => this.#plan(job));
    const mistake = mistakeIn(this.source.ts, this.path, this.#text);
    if (mistake !== undefined) refuse(planned, `stands in a file that has a mistake: ${mistake}`);
    for (;;) {
      this.jobs.forEach((job) => holdBack(planned.filter((one) => one.job === job)));
      const edits = this.#edits(planned);
      const after = this.#edited(planned, edits);
      const places = this.#verified(planned, after);
      // A refusal leaves less to be done: this ends.
      if (!places) continue;
      const edit = after === this.#text ? undefined : { path: this.path, before: this.#text, after };
      return { outcomes: this.#outcomes(planned, places, edits, after), edit };
    }
  }

  #plan(job: Job): Planned[] {
    const properties = new Set(job.realities.flatMap(({ changes }) => changes.map(({ property }) => property)));
    return [...properties].map((property) => this.#planOne(job, property));
  }

  #planOne(job: Job, property: string): Planned {
    const { declaration } = job;
    const { ts: compiler } = this.source;
    const changed = job.realities.filter(({ changes }) => changes.some((change) => change.property === property));
    const planned = { job, property, resources: changed.map(({ resource }) => resource) };
    try {
      const each = changed.map(({ resource, changes }) => {
        const { stack } = resource;
        const reader = new Reader(compiler, this.#scope, (node) => this.references.idOf(this.path, stack, node));
        const args = argumentsOf(reader, declaration, resource);
        const of = { reader, text: this.#text, style: this.#style, declaration };
        const from = Math.min(...placesOf(reader, args.object, property));
        const refer = (kindName: string, id: string) => this.references.to(id, { path: this.path, stack, kindName, from });
        const change = changes.find((one) => one.property === property) ?? { property, how: "removed" };
        return { args: args.object, done: planOf(of, args, resource, change, refer) };
      });
      const [first] = each;
      const isAgreed = changed.length === job.realities.length || each.every(({ done }) => done.plan.how === "same");
      if (!isAgreed || new Set(each.map(({ done }) => signature(done.plan))).size > 1) {
        const stacks = [...new Set(job.realities.map(({ resource }) => resource.stack))].join(", ");
        throw new Refusal(`stands for several resources that are not alike in it (stack ${stacks})`, declaration.node);
      }
      return { ...planned, ...first };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...planned, refused: { why: error.why, node: error.node } };
    }
  }

  /** The edits of all that is not refused. */
  #edits(planned: readonly Planned[]): Edit[] {
    const reader = new Reader(this.source.ts, this.#scope);
    const rewriter = new Rewriter(this.#text, reader, this.#style, false);
    return [...Map.groupBy(planned.filter(isActive), ({ args }) => args.node)].flatMap(([node, own]) => {
      const plans = own.map(({ done }) => done.plan);
      const pieces = own[0] ? rewriter.assemble(own[0].args, plans) : [];
      const elsewhere = plans.flatMap((plan) => (plan.how === "written" ? plan.written.elsewhere : []));
      return [...editsOf(pieces, node.getStart(this.#file), node.end), ...elsewhere];
    });
  }

  #edited(planned: readonly Planned[], edits: readonly Edit[]): string {
    const imports = Map.groupBy(
      planned.filter(isActive).flatMap(({ done }) => done.imports),
      ({ from }) => from,
    );
    const lacking = [...imports].map(([from, all]) => ({ from, names: [...new Set(all.flatMap(({ names = [] }) => names))] }));
    return withImports(this.source.ts, edited(this.#text, edits), this.path, lacking);
  }

  /**
   * Reads the edited text again: it has to parse, and to say exactly what was meant. What does not is refused.
   *
   * @returns where each property stands now; nothing where something had to be refused
   */
  #verified(planned: readonly Planned[], after: string): Map<Planned, Position> | undefined {
    const { ts: compiler } = this.source;
    const active = planned.filter(isActive);
    const mistake = after === this.#text ? undefined : mistakeIn(compiler, this.path, after);
    if (mistake !== undefined) return refuse(active, "could not be written so that the file stays TypeScript");
    const file = parse(compiler, this.path, after);
    const reader = new Reader(compiler, new Scope(compiler, file));
    const [old, now] = [declarationsIn(compiler, this.path, this.#file), declarationsIn(compiler, this.path, file)];
    if (old.length !== now.length) return refuse(active, "could not be written so that the file declares what it did");
    const byNode = new Map(old.map(({ node }, i) => [node, now[i]]));
    const places = new Map<Planned, Position>();
    for (const one of active) {
      const declaration = byNode.get(one.job.declaration.node);
      const place = declaration && placeOf(reader, declaration, one, this.path);
      if (place) places.set(one, place);
    }
    const wrong = active.filter((one) => !places.has(one));
    return wrong.length > 0 ? refuse(wrong, "could not be written so that it says what is real") : places;
  }

  #outcomes(
    planned: readonly Planned[],
    places: ReadonlyMap<Planned, Position>,
    edits: readonly Edit[],
    after: string,
  ): Outcome[] {
    const file = parse(this.source.ts, this.path, after);
    // New imports come before all declarations.
    const imported = after.length - edited(this.#text, edits).length;
    const placeOfNode = (node: ts.Node): Position => {
      const at = moved(node.getStart(this.#file), edits) + imported;
      const { line, character } = file.getLineAndCharacterOfPosition(at);
      return { file: this.path, line: line + 1, column: character + 1 };
    };
    return planned.flatMap((one) => {
      const { property, refused, done } = one;
      const position = places.get(one) ?? placeOfNode(refused?.node ?? one.job.declaration.node);
      const result = refused ? { why: refused.why } : done?.plan.how === "same" ? "same" : "placed";
      return one.resources.map((resource): Outcome => ({ resource, property, position, result }));
    });
  }
}

/** Where a place of a text is after edits of what stands before it. */
function moved(at: number, edits: readonly Edit[]): number {
  const before = edits.filter(({ end }) => end <= at);
  return before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), at);
}

/** Where something that a member names has to be known: at the member, and at a constant that holds its value. */
function placesOf(reader: Reader, object: Extract<Read, { how: "object" }>, property: string): number[] {
  const places = [object.node.pos];
  const member = reader.member(object, property);
  let read = member.how === "absent" ? undefined : member.read;
  for (; read?.how === "constant"; read = read.of) places.push(read.of.node.pos);
  return places;
}

type Active = Planned & Required<Pick<Planned, "args" | "done">>;

function isActive(planned: Planned): planned is Active {
  return !planned.refused && planned.args !== undefined && planned.done !== undefined;
}

/** Refuses what would leave a declaration that nobody takes, because something else of it is refused. */
function holdBack(ofJob: readonly Planned[]): void {
  const active = ofJob.filter(isActive);
  if (active.length === ofJob.length) return;
  for (const { resource, changes } of ofJob[0]?.job.realities ?? []) {
    const own = changes.filter(({ property }) => active.some((one) => one.property === property));
    const values = own.map(({ property, how, after }) => [property, how === "removed" ? undefined : after]);
    const held = heldBack(resource, Object.fromEntries(values) as Properties);
    if (held)
      refuse(
        active.filter(({ property }) => held.properties.includes(property)),
        held.why,
      );
  }
}

function refuse(planned: readonly Planned[], why: string): undefined {
  for (const one of planned) one.refused ??= { why, node: one.job.declaration.node };
}

/** Where a property stands in an edited file that says it as planned; where it has gone, its declaration. */
function placeOf(
  reader: Reader,
  declaration: Declaration,
  { property, done, resources }: Active,
  path: string,
): Position | undefined {
  const [resource] = resources;
  if (!resource || declaration.className !== resource.kind.name || declaration.name !== resource.name) return undefined;
  const { plan } = done;
  const args = argumentsOf(reader, declaration, { ...resource, inputs: {} });
  const member = reader.member(args.object, property);
  const { file } = reader.scope;
  if (member.how !== "set") {
    const isRight = member.how === "absent" ? plan.how === "gone" || plan.how === "same" : plan.how === "same";
    return isRight ? declaration.position : undefined;
  }
  const wanted = plan.how === "written" ? plan.written.outline : plan.how === "added" ? plan.outline : undefined;
  const isRight = plan.how === "same" || (wanted !== undefined && sameOutline(reader.outline(member.read), wanted));
  return isRight ? positionOf(path, file, member.property) : undefined;
}

/** Text that is equal for plans that do the same. */
function signature(plan: Plan): string {
  if (plan.how === "written") return stable([plan.index, plan.written.pieces, plan.written.elsewhere]);
  return stable(plan);
}
