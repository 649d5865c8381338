import type { ServiceSchema } from "moleculer";
import { ApiError, unsaved } from "../../../base/contract/errors.ts";
import { closed, DRY_RUN, idSchema, Type } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { comparable } from "../../../base/values/text.ts";
import { OBJECT_TYPE_LENGTH_MAX } from "../../../config/limits.ts";
import { changeField, createField } from "../../../engine/definitions/custom-fields.change.ts";
import {
  createBody,
  customFieldSchema,
  type FieldUpdate,
  type NewField,
  updateBody,
} from "../../../engine/definitions/custom-fields.schema.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import { fieldText } from "../../../engine/definitions/present-field.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageOf, pageParams } from "../../../mixins/page.ts";
import type { FieldDefinition } from "../../../model/custom-fields/definition.ts";
import { needRoom } from "../../../model/definitions/bounds.ts";
import { type Definitions, type EntityKey, findField, type Group } from "../../../model/definitions/definitions.ts";
import { needRole } from "../../../model/definitions/roles.ts";

const entityPath = {
  groupId: idSchema("group"),
  entityType: Type.String({
    maxLength: OBJECT_TYPE_LENGTH_MAX,
    description: "person, company, or the name of an object type",
  }),
};
const fieldPath = {
  ...entityPath,
  customFieldName: Type.String({ description: "The name of the field, exactly as the group writes it" }),
};
type EntityPath = { groupId: string; entityType: string };
type FieldPath = EntityPath & { customFieldName: string };

/** Definitions of custom fields. docs/guides/custom-fields.md#definitions */
export default function customFieldsService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  return {
    name: "custom-fields",
    actions: {
      list: {
        summary: "List the custom fields of an entity type",
        description: "In order of creation. Selects have options, numeric fields a config.",
        params: closed({ ...entityPath, ...pageParams }),
        returns: { list: customFieldSchema },
        handler: async (ctx: ActionContext<PageParams & EntityPath>) => {
          const caller = callerOf(ctx);
          const group = groupOf(await store.definitionsCache.current(caller.workspaceId), caller, ctx.params.groupId);
          return pageOf(group.fields.get(entityOf(group, ctx.params.entityType)) ?? [], ctx.params, fieldText);
        },
      },
      get: {
        summary: "Get a custom field",
        description: "Use the present name: the old name of a renamed field is not found.",
        params: closed(fieldPath),
        returns: { data: customFieldSchema },
        handler: async (ctx: ActionContext<FieldPath>) => {
          const caller = callerOf(ctx);
          const group = groupOf(await store.definitionsCache.current(caller.workspaceId), caller, ctx.params.groupId);
          return fieldText(fieldOf(group, entityOf(group, ctx.params.entityType), ctx.params.customFieldName));
        },
      },
      create: {
        summary: "Define a custom field",
        description: "An objectField on person or company registers an object type of its name in the group.",
        params: closed({ ...entityPath, ...DRY_RUN, body: createBody }),
        returns: { data: customFieldSchema },
        handler: (ctx: ActionContext<EntityPath & { body: NewField }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, async (change) => {
            const group = groupOf(change.definitions, caller, ctx.params.groupId);
            const entity = entityOf(group, ctx.params.entityType);
            needRole(group, caller, "admin");
            const uuid = await createField(change, group, entity, ctx.params.body);
            const after = await change.reload();
            needRoom(change.definitions, after, []);
            return presentAfter(after, group, uuid);
          });
        },
      },
      update: {
        summary: "Change a custom field",
        description:
          "A rename keeps the values. Options are removed, then updated, then added; a removed option leaves the values too.",
        params: closed({ ...fieldPath, ...DRY_RUN, body: updateBody }),
        returns: { data: customFieldSchema },
        handler: (ctx: ActionContext<FieldPath & { body: FieldUpdate }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, async (change) => {
            const group = groupOf(change.definitions, caller, ctx.params.groupId);
            const entity = entityOf(group, ctx.params.entityType);
            const field = fieldOf(group, entity, ctx.params.customFieldName);
            needRole(group, caller, "admin");
            await changeField(change, group, entity, field, ctx.params.body);
            const after = await change.reload();
            needRoom(change.definitions, after, ["addOptions"]);
            return presentAfter(after, group, field.uuid);
          });
        },
      },
    },
  };
}

/**
 * The entity that an `{entityType}` names. docs/guides/custom-fields.md#definitions
 * @throws ApiError 404 that says which entity types the group has
 */
function entityOf(group: Group, entityType: string): EntityKey {
  if (entityType === "person" || entityType === "company") return entityType;
  const key = comparable(entityType);
  const type = group.objectTypes.find(({ name }) => comparable(name) === key);
  if (type) return type.uuid;
  const available = ["person", "company", ...group.objectTypes.map(({ name }) => name)]
    .map((name) => `"${name}"`)
    .join(", ");
  throw unsaved(
    new ApiError(
      "RESOURCE_NOT_FOUND",
      `The group has no entity type "${entityType}". Available entity types are: ${available}`,
    ),
  );
}

/** @throws ApiError 404 when the entity has no field of this name */
function fieldOf(group: Group, entity: EntityKey, name: string): FieldDefinition {
  const field = findField(group, entity, name);
  if (!field)
    throw unsaved(
      new ApiError("RESOURCE_NOT_FOUND", `There is no custom field "${name.slice(0, 300)}" for this entity type.`),
    );
  return field;
}

/** The JSON text of a field as it is after a change. */
function presentAfter(definitions: Definitions, group: Group, uuid: Uuid): string {
  const field = definitions.groups.get(group.uuid)?.fieldsByUuid.get(uuid);
  return field ? fieldText(field) : "null";
}
