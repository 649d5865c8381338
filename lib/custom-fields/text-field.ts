import { plainText } from "../schema.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

export const textField: CustomFieldType = { ...scalar, name: "textField", value: plainText(5000), unsetBy: "", filter: "TEXT", indexed: "text_value" };
