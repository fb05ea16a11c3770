/** Runs `validate` in projects where the command starts no program. The suite smoke/validate runs programs. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfiguration } from "../../../../cli/commands/validate/configuration";
import { runCommand, silentIo } from "../../../support/command";
import { temporary } from "../../../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  write("Pulumi.yaml", "name: office\nruntime: nodejs\n");
});

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const validate = (...args: string[]) => runCommand(["validate", ...args], { cwd: folder });
const failed = (text: string) => ({ code: 1, stdout: "", stderr: expect.stringContaining(text) });

test("`validate` requires a Node.js project", async () => {
  write("Pulumi.yaml", "name: office\nruntime: python\n");
  expect(await validate()).toMatchObject(failed("The project's runtime is python, but this command requires nodejs"));
  rmSync(join(folder, "Pulumi.yaml"));
  expect(await validate()).toMatchObject(failed("There is no Pulumi.yaml"));
});

test("`validate` requires --stack in a project with several stacks", async () => {
  for (const stack of ["dev", "production"]) write(`Pulumi.${stack}.yaml`, "config: {}\n");
  expect(await validate()).toMatchObject(failed("use --stack NAME. Existing stacks: dev, production"));
  expect(await validate("--stack", "prd")).toMatchObject(failed("has no settings for stack prd (Pulumi.prd.yaml)"));
});

test("`validate` passes each secret to the program as the string 0 and each object as JSON", () => {
  write(
    "Pulumi.dev.yaml",
    `config:
  interval: 61
  office:sites: [a, b]
  aws:region: eu-west-1
  office:password:
    secure: AAABAJ
`,
  );
  const project = { folder, name: "office", backend: undefined, io: silentIo({ PULUMI_HOME: folder }) };
  expect(readConfiguration(project, undefined)).toEqual({
    stack: "dev",
    values: { "office:interval": "61", "office:sites": '["a","b"]', "aws:region": "eu-west-1", "office:password": "0" },
    secrets: ["office:password"],
  });
});
