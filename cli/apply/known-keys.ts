import type { Path } from "../../base/contract/issues.ts";
import { workspaceFile } from "../../services/workspaces/workspace-file/workspace-file.schema.ts";

/** As much of a JSON Schema as tells which names a mapping may have. */
interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

/**
 * The names that a mapping of a workspace file may have, in the order of the schema.
 * @param path leads to the mapping: `documents`, the index of a document, and so on
 */
export function knownKeys(documents: unknown[], [, index, ...path]: Path): string[] {
  let schemas: Schema[] = [workspaceFile as Schema];
  let value = documents[Number(index)];
  for (const step of path) {
    schemas = fitting(schemas, value).flatMap((schema) => below(schema, step));
    value = memberOf(value, step);
  }
  const names = fitting(schemas, value).flatMap(({ properties }) => Object.keys(properties ?? {}));
  return [...new Set(names)];
}

function below(schema: Schema, step: string | number): Schema[] {
  if (typeof step === "number") return schema.items ? [schema.items] : [];
  const { [step]: property } = schema.properties ?? {};
  if (property) return [property];
  return typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
}

/** The schemas that a value may be meant for: of several, those whose words for its `type` fit, or else all. */
function fitting(schemas: Schema[], value: unknown): Schema[] {
  const all = schemas.flatMap(
    (schema) => (schema.anyOf ?? schema.oneOf)?.flatMap((one) => fitting([one], value)) ?? [schema],
  );
  const type = memberOf(value, "type");
  const tagged = all.filter(({ properties }) => {
    const { const: only, enum: several } = properties?.type ?? {};
    return type !== undefined && (several ?? [only]).includes(type);
  });
  return tagged.length > 0 ? tagged : all;
}

function memberOf(value: unknown, step: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, unknown>)[step];
}
