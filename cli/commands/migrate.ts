import type { Command } from "commander";
import { migrate } from "../../database/migrate/migrate.ts";
import { withDatabase } from "../../tools/installation/database-url.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { show } from "../../tools/terminal/output.ts";

/** Adds `migrate`, which brings the database up to this release. A start does so by itself. docs/guides/running.md#migrations */
export function addMigrate(program: Command, admin: Admin): void {
  program
    .command("migrate")
    .description("apply the migrations that the database does not have yet")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const applied = await withDatabase(admin.env, migrate);
      show(admin, { json }, { applied }, () => applied.join("\n") || "The database is up to date.");
    });
}
