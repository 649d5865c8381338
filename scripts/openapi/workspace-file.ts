import { SLUG, workspaceFile } from "../../services/groups/workspace-file/workspace-file.schema.ts";
import { createSchemas, type Schema } from "./schemas.ts";

/**
 * The JSON Schema of a workspace file, by which editors complete and check it: docs/guides/workspace-file.md#in-an-editor. It is of
 * draft 7, which editors know best, and of one document; a file may also be a list of them.
 */
export function workspaceFileSchema(): Schema {
  const document = createSchemas([]).translate(workspaceFile, "request", "");
  const { workspace, ...properties } = document.properties as Record<string, Schema>;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Workspace file of a Contact Workspace server",
    description: "Workspaces with their users, groups, members and custom fields, for the command apply",
    if: { type: "array" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { items: { $ref: "#/definitions/workspace" } },
    else: { $ref: "#/definitions/workspace" },
    definitions: {
      workspace: { ...document, properties: { workspace: { ...workspace, pattern: SLUG.source }, ...properties } },
    },
  };
}
