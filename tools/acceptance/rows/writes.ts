import { operations } from "../../../api/schemas";
import { paths } from "../ask";
import type { Row } from "../row";
import type { Body } from "../session";
import { membersOf } from "./parts";

/**
 * Assumptions about the time until reads show writes. These checks run first, because they measure how long other checks must
 * wait.
 */
export const writeRows: readonly Row[] = [
  {
    id: "reads-after-writes",
    topic: "Reads and lists right after a write",
    emulator: "Reads and lists in the emulator show each write immediately",
    known: "In an idle account, all 9 reads right after a label write showed the new label",
    file: "emulator/store.ts",
    probe: async (ask) => {
      const { body: made } = await ask.label();
      const path = `${paths.label}/${made.id}`;
      const nameOf = async (): Promise<{ get: unknown; list: unknown }> => {
        const [get, list] = await Promise.all([ask.get(path), ask.get(paths.label, { max: "1000" })]);
        const listed: Body[] = list.body?.labels ?? [];
        return { get: get.status === 200 ? get.body?.name : undefined, list: listed.find(({ id }) => id === made.id)?.name };
      };
      const shows = (name: string | undefined) => async (): Promise<Record<string, boolean>> => {
        const { get, list } = await nameOf();
        return { get: get === name, list: list === name };
      };
      const stored = String(made.name);
      const create = await ask.settled(shows(stored));
      const { body: renamed } = await ask.patch(path, { name: ask.name() });
      const update = await ask.settled(shows(String(renamed.name)));
      await ask.delete(path);
      return { create, update, delete: await ask.settled(shows(undefined)) };
    },
    answers: {
      create: { get: true, list: true },
      update: { get: true, list: true },
      delete: { get: true, list: true },
    },
  },
  {
    id: "listed-labels",
    topic: "Members of labels in a list",
    emulator: "In the emulator, all labels in a list have the same members",
    known: "The recorded list contains no labels",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      await ask.nobody();
      const { received } = await ask.get(paths.label, { max: "1000", expand: "filters" });
      const shapes = (received?.labels ?? []).map((record: Body) => membersOf(record).join(" "));
      return { shapes: new Set(shapes).size };
    },
    answers: { shapes: 1 },
  },
  {
    id: "patch-of-is-enabled",
    topic: "PATCH request with `isEnabled`",
    emulator: "Disables the test",
    known: "Documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const { body } = await ask.test("agentToServer");
      const path = `${paths.agentToServer}/${body.testId}`;
      await ask.patch(path, { testName: ask.name(), port: 443, isEnabled: false });
      return { isEnabled: (await ask.get(path)).body.isEnabled };
    },
    answers: { isEnabled: false },
  },
  {
    id: "list-of-account-groups",
    topic: "List of account groups",
    emulator: "Every user may list the account groups",
    known: "The required permission is not documented",
    file: "emulator/routes/account-groups.ts",
    probe: async (ask) => ({ status: (await ask.get(operations.accountGroups.list.path, undefined, { aid: null })).status }),
    answers: { status: 200 },
  },
];
