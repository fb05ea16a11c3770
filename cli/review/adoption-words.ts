import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { few, ours, phrase, type Phrase, strong, word } from "./phrase";
import type { Creation, ReviewedResource } from "./report";

/** `taken over from "old" (id 12): id and history are kept` */
export function adoptionNote({ name, from, id = "", kind: kindName }: ReviewedResource): Phrase {
  const kind: Kind = registry[kindName];
  const kept = ours(kind.reach?.means === "test" ? "id and history are kept" : "its id is kept");
  if (!from) {
    return phrase`${strong("taken over")} from the service, where no resource of this stack stands for it (id ${word(id)}): ${kept}`;
  }
  const moves = ours(from.name === name ? ", which moves within the program" : "");
  return phrase`${strong("taken over")} from ${from.name}${moves} (id ${word(id)}): ${kept}`;
}

/** Records that a line names. */
const named = 5;

/** Why a create adopts nothing. */
export function creationNote({ creation, kind }: ReviewedResource): Phrase {
  if (!creation) return [];
  const { noun } = registry[kind];
  const ids = few(
    (creation.ids ?? []).map((id) => phrase`${word(id)}`),
    named,
  );
  const properties = few(
    (creation.properties ?? []).map((property) => phrase`${word(property)}`),
    named,
  );
  const notes: Record<Creation["how"], Phrase> = {
    none: phrase`adopt: true finds no ${ours(noun)} of this name that is free, so it is created`,
    unseen: phrase`whether there is ${ours(article(noun))} of this name to adopt was not looked at`,
    unclear: ours(
      "whether it adopts a record that is there is not known: that goes by a value that is secret, or known after the update only",
    ),
    identical: phrase`${strong("the update will fail")}: it would create again what is there already (id ${ids}). After a rename or a move, give the old name or parent in the resource option aliases; else adopt it with adopt: true`,
    several: phrase`${strong("the update will fail")}: it may adopt one record, and several are alike (id ${ids}). Delete all but one in the service, or import the right one`,
    differs: phrase`${strong("the update will fail")}: it would adopt what is there (id ${ids}), which differs in ${properties}, and only a create sets that. Declare what the record has, or rename one of the two`,
  };
  return notes[creation.how];
}

function article(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
