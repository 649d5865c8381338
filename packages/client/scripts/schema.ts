// Writes src/generated/schema.ts, the types of docs/openapi.json, unless they are younger than it; or the named file.
// Tests, checks and the build of the package begin with it. test/schema.test.ts compares the two.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const DOCUMENT = join(ROOT, "docs", "openapi.json");
const FILE = join(import.meta.dirname, "..", "src", "generated", "schema.ts");

const HEADER = "// Made of docs/openapi.json: it is not to be changed by hand.\n\n";

/**
 * Custom fields are the only names of a filter that the document cannot list. It has a pattern for them, of which
 * openapi-typescript makes an index of all names, so that a mistyped field would compile.
 */
const ANY_NAME = /\[key: string\]: (?=components\["schemas"\]\["CustomFieldCondition"\])/g;
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a type of a template, as TypeScript writes it.
const CUSTOM_FIELD = "[key: `customFieldValues.${string}`]: ";

/** Examples of whole bodies, and the headers of answers: they would be half of the text, and types do not need them. */
const LEFT_OUT = new Set(["example", "headers"]);

const [, , file = FILE] = process.argv;
if (file !== FILE || writtenAt(FILE) <= Math.max(writtenAt(DOCUMENT), writtenAt(import.meta.filename)))
  await write(file);

async function write(file: string): Promise<void> {
  // A package of development that takes half a second to load.
  const { default: openapiTypescript, astToString } = await import("openapi-typescript");
  const document: OpenAPI3 = JSON.parse(readFileSync(DOCUMENT, "utf8"), (name, value) =>
    LEFT_OUT.has(name) || (name === "examples" && !Array.isArray(value)) ? undefined : value,
  );
  const types = astToString(
    await openapiTypescript(document, {
      // Objects whose members the document does not list may have any.
      emptyObjectsUnknown: true,
      // A member with a default may be left out of a body.
      defaultNonNullable: false,
    }),
  );
  const version = `\n/** The version of the API that these types describe. */\nexport const API_VERSION = "${document.info.version}";\n`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, HEADER + types.replaceAll(ANY_NAME, () => CUSTOM_FIELD) + version);
}

function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
