import { idSchema, oneOf, Type } from "../../../base/contract/schema.ts";
import { IMPORTED_TYPES, interactionEntityQuery } from "../../../engine/things/interaction-schema.ts";
import { pageParams } from "../../../mixins/page.ts";

const users = Type.Optional(Type.Array(idSchema("user"), { description: "Only interactions of these users" }));

/** Parameters of the list. docs/guides/interactions.md#lists */
export const listParams = {
  "entity.id": Type.Optional(idSchema("contact")),
  timeframe: Type.Optional(
    oneOf(["past", "upcoming"], { default: "past", description: "Past or planned interactions" }),
  ),
  importedTypes: Type.Optional(Type.Array(oneOf(IMPORTED_TYPES), { default: [...IMPORTED_TYPES], emptyIsNone: true })),
  "user.id": users,
  ...pageParams,
};

/** Parameters of the two deprecated lists, whose pages have a fixed size. */
export const fixedListParams = { ...interactionEntityQuery, after: pageParams.after };

export interface ListParams {
  "entity.id"?: string;
  timeframe?: "past" | "upcoming";
  importedTypes?: string[];
  "user.id"?: string[];
  limit?: number;
  after?: string;
}
