import * as pulumi from "@pulumi/pulumi";
import { createClient, readSettings } from "pulumi-endpoint-monitoring/api";

const config = new pulumi.Config("endpoint-monitoring");
/** Names of the alert rules of deleted tests, by the name of the test's resource. */
const noted = new Map<string, string[]>();

/** Finds the alert rules of a test before its deletion. A list of rules omits their tests, so each rule needs a request. */
const note = new pulumi.ResourceHook("note-alert-rules", async ({ name, id }) => {
  const { client: options, accountGroupId: aid } = readSettings((setting) => config.get(setting));
  const client = createClient(options);
  try {
    const { alertRules } = await client.alertRules.list({ query: { aid } });
    const rules = await Promise.all(
      alertRules.map(({ ruleId }) => client.alertRules.get({ path: { ruleId }, query: { aid } })),
    );
    const naming = rules.filter(({ testIds = [] }) => testIds.includes(id));
    noted.set(
      name,
      naming.map(({ ruleName = "", ruleId }) => `${ruleName} (${ruleId})`),
    );
  } finally {
    await client.close();
  }
});

/** Prints the alert rules to link to the new test after its creation. */
const tell = new pulumi.ResourceHook("tell-alert-rules", async ({ name, id }) => {
  const rules = noted.get(name) ?? [];
  if (rules.length > 0) await pulumi.log.warn(`${name} is now test ${id}. Link these alert rules to it: ${rules.join(", ")}.`);
});

export const relinkHooks: pulumi.ResourceHookBinding = { beforeDelete: [note], afterCreate: [tell] };
