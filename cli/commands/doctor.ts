import type { Command } from "commander";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { show } from "../../tools/terminal/output.ts";

/** Adds `doctor`, which says whether database, settings and data are sound, and changes nothing. docs/guides/running.md#doctor */
export function addDoctor(program: Command, admin: Admin): void {
  program
    .command("doctor")
    .description("check database, settings and data; nothing is changed")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { examine } = await import("../../tools/doctor/examine.ts");
      const checks = await examine(admin.env);
      const failed = checks.filter(({ ok }) => !ok);
      show(admin, { json }, { ok: failed.length === 0, checks }, () =>
        checks.map(({ name, ok, message }) => `${ok ? "ok    " : "FAILED"} ${name}: ${message}`).join("\n"),
      );
      if (failed.length > 0)
        throw new CommandError(
          `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(", ")}.`,
        );
    });
}
