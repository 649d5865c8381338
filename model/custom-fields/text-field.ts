import { plainText } from "../../base/contract/schema.ts";
import { foldedText, textItem } from "../../base/values/text.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

export const textField: CustomFieldType = {
  ...scalar,
  name: "textField",
  value: plainText(5000, { description: "An empty text unsets the field, as null does" }),
  unsetBy: "",
  filter: "TEXT",
  sortedBy: "folded_text",
  indexedAs: (stored: string) => [{ item: textItem(stored), folded_text: foldedText(stored) }],
  guessedBy: { fits: () => true },
};
