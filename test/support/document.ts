import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Answered } from "./answers.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "openapi.json");

interface Operation {
  pattern: RegExp;
  /** JSON pointer of the operation, as it stands in a `$ref`. */
  pointer: string;
  statuses: string[];
}

const operations = new Map<string, Operation[]>();
const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
let loaded = false;

/** What in an answer is not as the schema of docs/openapi.json for its operation and status says; nothing without that file. */
export function checkAgainstDocument({ method, path, status }: Answered, body: unknown): string[] {
  load();
  // Another method than the document has for this path; the path may look like that of another operation.
  if (status === 405) return [];
  const [plain = ""] = path.split("?");
  const operation = operations.get(method)?.find(({ pattern }) => pattern.test(plain));
  if (!operation) return [];
  const answer = [String(status), `${String(status)[0]}XX`, "default"].find((name) =>
    operation.statuses.includes(name),
  );
  if (answer === undefined) return [`docs/openapi.json has no ${status} for this operation`];
  const validate = validatorOf(`${operation.pointer}/responses/${answer}`);
  if (!validate || validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message} (docs/openapi.json)`);
}

function load(): void {
  if (loaded) return;
  loaded = true;
  if (!existsSync(FILE)) return;
  const document: { paths: Record<string, Record<string, { responses?: object }>> } = JSON.parse(
    readFileSync(FILE, "utf8"),
  );
  ajv.addSchema(document, "document");
  // Fixed segments win over parameters, so paths with fewer of them come first.
  const paths = Object.entries(document.paths).sort(([a], [b]) => parameters(a) - parameters(b));
  for (const [template, methods] of paths) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      const pointer = `#/paths/${template.replaceAll("/", "~1").replaceAll(/[{}]/g, encodeURIComponent)}/${method}`;
      const name = method.toUpperCase();
      operations.set(name, [...(operations.get(name) ?? []), { pattern, pointer, statuses: Object.keys(responses) }]);
    }
  }
}

function parameters(template: string): number {
  return template.split("{").length;
}

/** Answers may themselves be references to shared ones; undefined when there is no JSON schema. */
function validatorOf(pointer: string): ValidateFunction | undefined {
  let validate = validators.get(pointer);
  if (!validate) {
    const answer = ajv.getSchema(`document${pointer}`)?.schema as
      | { $ref?: string; content?: Record<string, unknown> }
      | undefined;
    const target = answer?.$ref ?? pointer;
    validate = ajv.getSchema(`document${target}/content/application~1json/schema`);
    if (validate) validators.set(pointer, validate);
  }
  return validate;
}
