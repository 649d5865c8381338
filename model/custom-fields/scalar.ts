import { Type } from "../../base/contract/schema.ts";
import type { CustomFieldType, StoredValue } from "./type.ts";

/** Parts that text, number and date share: one value, stored and answered as it is. */
export const scalar = {
  shown: Type.String(),
  namedBy: "value",
  hasOptions: false,
  store: (sent: StoredValue) => ({ value: sent }),
  present: (stored: StoredValue) => stored,
  fromTexts: (texts: string[]) => texts.join(" "),
  toCell: (shown: string) => shown,
} satisfies Partial<CustomFieldType>;
