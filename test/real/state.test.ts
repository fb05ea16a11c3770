import { records } from "../../provider/registry";
import { areaOf, kindCases, recordKind, recordKinds } from "../support/kinds";
import { omit } from "../support/variations/start";
import { fronts, type Program, Stack } from "./support/stack";

describe.each(fronts)("the state of %s resources", (front) => {
  let stack: Stack;
  const program: Program = Object.fromEntries(
    Object.values(kindCases).map(({ className, full }) => [className, { kind: className, args: full }]),
  );
  beforeAll(async () => {
    stack = await Stack.startWith(front);
  });
  afterAll(() => stack.end());

  /** Omits members from the responses of an area. */
  const omitFrom = (area: string, members: string[]): void => {
    for (const verb of ["create", "update", "get", "list"]) omit(stack.emulator, `${area}.${verb}`, members);
  };

  it("updates and refreshes keep all values in the state if the service's responses omit properties", async () => {
    for (const name of recordKinds) {
      const { full } = kindCases[name];
      const members = [...Object.keys(full), "agentSelectorConfig", "aid", "_links", "createdDate"].filter(
        // A record without its name could not be listed among the resources. All other members may be absent.
        (member) => !records[name].identity.some((property) => property === member),
      );
      omitFrom(areaOf(name), members);
    }
    stack.declare(program);
    await stack.up();
    const check = async (): Promise<void> => {
      const state = stack.state();
      for (const { className, full } of Object.values(kindCases)) {
        const { password, ...rest } = full;
        expect(state[className]?.outputs).toMatchObject(rest);
        expect(state[className]?.outputs["password"] === undefined).toBe(password === undefined);
      }
    };
    await check();
    expect(await stack.refresh()).toEqual({ same: recordKinds.length });
    await check();
    expect(await stack.up()).toEqual({ same: recordKinds.length });
  });

  const reading: Program = {};
  it("the static method get() returns each output of a record", async () => {
    for (const name of recordKinds) {
      const { className, full } = kindCases[name];
      omitFrom(areaOf(name), []);
      const { writeOnly, updateOnly, nameProperty } = recordKind(name);
      const body = Object.entries(full).filter(([property]) => ![...updateOnly, "accountGroupId"].includes(property));
      // A record with the other case's values would be a duplicate.
      const declared = { ...Object.fromEntries(body), [nameProperty]: "Read" };
      const hidden = new Set([...writeOnly, ...updateOnly, "tcpProbeMode"]);
      reading[`${className}-read`] = {
        kind: className,
        get: await stack.make(name, declared),
        show: Object.keys(full).filter((property) => !hidden.has(property)),
      };
    }
    stack.declare({ ...program, ...reading });
    await stack.must("up", "--yes", "--skip-preview");
    const { stdout } = await stack.must("stack", "output", "--json");
    const outputs = JSON.parse(stdout) as Record<string, unknown>;
    for (const name of recordKinds) {
      const { className, full } = kindCases[name];
      const declared: Record<string, unknown> = { ...full, [records[name].nameProperty]: "Read" };
      for (const property of reading[`${className}-read`]?.show ?? []) {
        const output = `${className}-read.${property}`;
        expect({ [output]: outputs[output] }).toEqual({ [output]: declared[property] });
      }
    }
  });

  it("destroy does not delete a record that the program only reads by get()", async () => {
    await stack.destroy();
    for (const { collection } of Object.values(kindCases)) expect(await stack.ids(collection)).toHaveLength(1);
  });
});
