import { type Command, Option } from "commander";
import type { Admin } from "../admin.ts";
import type { ImportAnswer } from "../import/rows.ts";
import type { ImportOptions } from "../import/run.ts";
import { show } from "./output.ts";

const REFUSED_SHOWN_MAX = 20;

/** Adds `import people` and `import companies`. docs/guides/import.md */
export function addImport(program: Command, admin: Admin): void {
  const command = program.command("import").description("records from CSV files");
  for (const kind of ["people", "companies"] as const) {
    const one = command
      .command(kind)
      .description(`import ${kind} into a group; running it again changes nothing`)
      .argument("<FILE.csv>", "UTF-8, delimited by comma, semicolon or tab, with a line of headings")
      .requiredOption("--workspace <slug>", "the workspace")
      .requiredOption("--group <group>", "name or id of the group")
      .option("--map <map.yaml>", "which column is which field, where headings do not tell")
      .option("--fields", "make custom fields of unknown columns")
      .option("--user <email>", "on whose behalf; else the first user who may")
      .option("--dry-run", "write nothing, tell what would be")
      .option("--json", "print JSON");
    if (kind === "people")
      one.addOption(
        new Option("--match <by>", "how people are recognised").choices(["email", "name"]).default("email"),
      );
    one.action(async (file: string, { json = false, ...options }: ImportOptions & { json?: boolean }) => {
      // Loaded here and not at the top, so that the other commands start faster: scripts run dozens of them.
      const { runImport } = await import("../import/run.ts");
      show(admin, { json }, await runImport(admin, kind, file, options), inLines);
    });
  }
}

function inLines({ read, created, updated, unchanged, refused }: ImportAnswer): string {
  const shown = refused
    .slice(0, REFUSED_SHOWN_MAX)
    .map(({ line, column, reason }) => `line ${line}${column === null ? "" : `, ${column}`}: ${reason}`);
  const more = refused.length - shown.length;
  return [
    `${read} read: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused`,
    ...shown,
    ...(more > 0 ? [`and ${more} more; --json lists all`] : []),
  ].join("\n");
}
