import type { z } from "zod";
import type { labelRequest } from "../../api/schemas";
import { type Collection, membersOf } from "../store";

export type StoredLabel = Required<Omit<z.output<typeof labelRequest>, "id">>;

export const labels: Collection<StoredLabel> = {
  name: "labels",
  series: "labels",
  firstId: 400_000_000_000_001,
  needs: membersOf<StoredLabel>({ name: true, color: true, matchType: true, filters: true }),
};
