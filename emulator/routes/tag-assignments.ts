import { operations, type TagAssignment } from "../../api/schemas";
import { type HandlerCall, handle } from "../handler";
import { tags } from "../model/tags";
import { Problem } from "../problem";
import { tagStyle } from "./tag-problems";
import { existingTag } from "./tags";

const calls = operations.tags;
const style = tagStyle;
const path = calls.list.path;

/** Operations that assign static tags to objects. No response to an assignment was recorded. */
export const tagAssignmentRoutes = [
  handle(calls.assign, (call) => ({ body: changed(call, call.path.id, call.body.assignments, added) }), { style }),
  handle(calls.assignBulk, (call) => ({ body: { tags: changedAll(call, call.body.tags, added) } }), { style }),
  handle(
    calls.unassign,
    (call) => {
      changed(call, call.path.id, call.body.assignments, taken);
      return { body: undefined };
    },
    { style },
  ),
  handle(calls.unassignBulk, (call) => ({ body: { tags: changedAll(call, call.body.tags, taken) } }), { style }),
];

type AssignmentCall = Pick<HandlerCall, "aid" | "service" | "link">;
type Assignments = readonly TagAssignment[];
type AssignmentChange = (before: Assignments, asked: Assignments) => Assignments;

const isIn = (assignments: Assignments, { id, type }: TagAssignment): boolean =>
  assignments.some((assignment) => assignment.id === id && assignment.type === type);
/** According to the documentation, an assignment only adds objects. */
const added: AssignmentChange = (before, asked) => [...before, ...asked.filter((assignment) => !isIn(before, assignment))];
const taken: AssignmentChange = (before, asked) => before.filter((assignment) => !isIn(asked, assignment));

function changed(call: AssignmentCall, tagId: string, asked: Assignments, change: AssignmentChange) {
  const row = existingTag(call, tagId);
  const { type, objectType, assignments } = row.body;
  if (type === "dynamic") throw new Problem(400, "Objects cannot be assigned to a dynamic tag");
  const wrong = asked.find((assignment) => assignment.type !== objectType);
  if (wrong) throw new Problem(400, `assignments: a tag of type ${objectType} cannot be assigned to a ${wrong.type}`);
  call.service.store.replace(tags, row.id, { ...row.body, assignments: change(assignments, asked) });
  return { tagId, assignments: [...asked], _links: { self: { href: call.link(`${path}/${tagId}`) } } };
}

/** Changes either all tags or, after an error, no tags. */
function changedAll(
  call: AssignmentCall,
  asked: readonly { tagId: string; assignments: Assignments }[],
  change: AssignmentChange,
) {
  return call.service.store.together(() => asked.map((tag) => changed(call, tag.tagId, tag.assignments, change)));
}
