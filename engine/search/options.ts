import { RECORD_KINDS, type RecordKind, type Uuid } from "../../base/values/ids.ts";
import { wordsOf } from "../../base/values/search-words.ts";
import type { Option } from "../../model/custom-fields/definition.ts";
import type { EntityKey } from "../../model/definitions/definitions.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type AskedWord, type Closeness, closenessOf } from "./asked.ts";

/** The options with a word in their label, of the fields that a caller sees on records of a kind. */
export function optionsWith(viewing: Viewer, kind: string, word: AskedWord, closeness: Closeness): Uuid[] {
  return visibleGroups(viewing.definitions, viewing.caller)
    .flatMap(({ fields }) =>
      [...fields].flatMap(([entity, ofEntity]) => (kindOfEntity(entity) === kind ? ofEntity : [])),
    )
    .flatMap(({ optionsByUuid }) => [...optionsByUuid.values()].filter((option) => hasWord(option, word, closeness)))
    .map(({ uuid }) => uuid);
}

/** Objects have fields by the uuids of their types. */
function kindOfEntity(entity: EntityKey): RecordKind {
  return RECORD_KINDS.find((kind) => kind === entity) ?? "object";
}

/** The words of labels. Definitions are read anew when they change. */
const labelWords = new WeakMap<Option, string[]>();

function hasWord(option: Option, word: AskedWord, most: Closeness): boolean {
  let words = labelWords.get(option);
  if (!words) {
    words = wordsOf(option.label).map(({ folded }) => folded);
    labelWords.set(option, words);
  }
  return words.some((one) => {
    const closeness = closenessOf(word, one);
    return closeness !== null && closeness <= most;
  });
}
