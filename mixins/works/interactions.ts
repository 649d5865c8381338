import { closed, DRY_RUN, Type } from "../../base/contract/schema.ts";
import { createInteraction, removeInteraction, updateInteraction } from "../../engine/things/change-interaction.ts";
import {
  interactionCreateBody,
  interactionEntityQuery,
  interactionPath,
  interactionSchema,
  interactionUpdateBody,
  type Logged,
} from "../../engine/things/interaction-schema.ts";
import type { Work } from "./work.ts";

const returns = { data: interactionSchema };

const create: Work<{ body: Logged }> = {
  summary: "Log an interaction",
  description: "With a person or a company, by the caller.",
  params: closed({ ...DRY_RUN, body: interactionCreateBody }),
  returns,
  run: (writing, { body }) => createInteraction(writing, body),
};

const update: Work<{ interactionId: string; body: Logged }> = {
  summary: "Update an interaction",
  description: "A logged one. Missing fields keep their values.",
  params: closed({ ...interactionPath, ...DRY_RUN, body: interactionUpdateBody }),
  returns,
  run: (writing, { interactionId, body }) => updateInteraction(writing, interactionId, body),
};

const remove: Work<{ interactionId: string; "entity.id": string }> = {
  summary: "Delete an interaction",
  description: "A logged one.",
  params: closed({ ...interactionPath, ...interactionEntityQuery, ...DRY_RUN }),
  returns: { data: closed({ id: Type.String() }) },
  run: (writing, { interactionId, "entity.id": entityId }) => removeInteraction(writing, interactionId, entityId),
};

/** The writes of interactions. docs/guides/interactions.md#logging */
export const interactionWorks = { create, update, remove };
