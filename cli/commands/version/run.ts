import { ownManifest } from "../../../api/manifest";
import type { ExitCode, Invocation } from "../../command";

export async function run(_values: object, { out }: Invocation): Promise<ExitCode> {
  const { version } = ownManifest();
  out.result({ version }, version);
  return 0;
}
