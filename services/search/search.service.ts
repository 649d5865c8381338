import type { ServiceSchema } from "moleculer";
import { closed, oneOf, plainText, Type } from "../../base/contract/schema.ts";
import { ASKED_LENGTH_MAX, SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX } from "../../config/limits.ts";
import { askedOf } from "../../engine/search/asked.ts";
import { find } from "../../engine/search/search.ts";
import { SEARCH_KINDS, SEARCH_TYPES } from "../../engine/search/search-types.ts";
import { shownHits } from "../../engine/search/shown.ts";
import { storeOf } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";
import { entitySchema } from "../../model/fields/entity.ts";

const itemSchema = Type.Object(
  {
    id: Type.String({ example: "per_0199e7a1-5f6e-7c3b-8a57-2f6f3c1d9b10" }),
    entityType: oneOf(SEARCH_KINDS),
    fullName: Type.String({ example: "Ada Lovelace", description: "The title of a task, the beginning of a note" }),
    objectType: Type.Optional(Type.String({ description: "Of objects", example: "Deals" })),
    groupId: Type.Optional(Type.String({ description: "Of objects" })),
    entity: Type.Optional(entitySchema(["person", "company", "object"])),
    matched: Type.Array(
      Type.Object(
        {
          path: Type.Array(Type.String(), { description: "The field, as in events", example: ["lastName"] }),
          text: Type.String({ description: "Up to 200 characters around the find", example: "Lovelace" }),
        },
        { title: "Match" },
      ),
      { description: "Fields in which the words were found, at most 5, the best first" },
    ),
  },
  { title: "SearchItem" },
);

interface Params {
  q: string;
  types?: (typeof SEARCH_KINDS)[number][];
  limit?: number;
}

/** The search over everything that the caller sees. docs/guides/search.md */
export default function searchService({ database }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "search",
    actions: {
      everything: {
        summary: "Search everything",
        description:
          "People, companies, objects, notes and tasks that have all words, each as a whole word, as the beginning of one or with one slip. Letter case and accents do not matter. The best come first.",
        params: closed({
          q: plainText(ASKED_LENGTH_MAX, { minLength: 1, description: "The words", example: "ada lovelace" }),
          types: Type.Optional(Type.Array(oneOf(SEARCH_KINDS), { description: "Only things of these kinds" })),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: SEARCH_LIMIT_MAX,
              default: SEARCH_LIMIT_DEFAULT,
              description: "Number of items at most",
            }),
          ),
        }),
        returns: { data: Type.Object({ items: Type.Array(itemSchema) }) },
        async handler(ctx: ActionContext<Params>): Promise<string> {
          const caller = callerOf(ctx);
          const { q, types: kinds = SEARCH_KINDS, limit = SEARCH_LIMIT_DEFAULT } = ctx.params;
          const viewing = { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
          const asked = askedOf(q);
          const types = SEARCH_TYPES.filter(({ kind }) => kinds.includes(kind));
          const hits = await store.searchTurn(caller, (query) => find({ query, viewing, asked, types, limit }));
          return JSON.stringify({ items: await shownHits(store, viewing, asked, hits) });
        },
      },
    },
  };
}
