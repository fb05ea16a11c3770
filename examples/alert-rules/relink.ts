import * as pulumi from "@pulumi/pulumi";
import { createClient, readSettings } from "pulumi-endpoint-monitoring/api";

const config = new pulumi.Config("endpoint-monitoring");
/** Names of the alert rules of a test that was deleted, by the name of its resource. */
const noted = new Map<string, string[]>();

/** Before a test is deleted: notes which alert rules name it. A list of rules has no tests, so each takes a request. */
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

/** After its replacement was created: says what to relink. */
const tell = new pulumi.ResourceHook("tell-alert-rules", async ({ name, id }) => {
  const rules = noted.get(name) ?? [];
  if (rules.length > 0) await pulumi.log.warn(`${name} is now test ${id}. Link these alert rules to it: ${rules.join(", ")}.`);
});

export const relinkHooks: pulumi.ResourceHookBinding = { beforeDelete: [note], afterCreate: [tell] };
