import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import { refuseLater } from "../../database/migrate/migration-state.ts";
import { type OutputOptions, toOutput } from "../export/sink.ts";
import { inSnapshot } from "../installation/own-connection.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { type ArchivedWorkspace, archiveText } from "./write.ts";

/** Writes all of a workspace, as it is at this moment, into an archive. docs/guides/export.md#the-archive */
export async function exportAll(
  admin: Admin,
  slug: string,
  options: OutputOptions & { output: string },
): Promise<void> {
  const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace: slug });
  const file = await admin.call<unknown>("workspaces.export", { workspace: slug });
  await inSnapshot(admin.env, async (query) => {
    await refuseLater(
      query,
      "An archive of this release would lack the data that it does not know: export with that release.",
    );
    const [workspace] = await query<ArchivedWorkspace>(
      `select id, slug, name, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt" from workspaces where id = $1`,
      [uuidOf("workspace", id) as Uuid],
    );
    if (!workspace) throw new CommandError(`The workspace ${slug} was removed just now.`);
    const text = archiveText(query, workspace, { file, madeAt: new Date().toISOString() });
    await toOutput(admin, options, async (take) => {
      const gzip = createGzip();
      await pipeline(text, gzip, async (compressed: AsyncIterable<Uint8Array>) => {
        for await (const bytes of compressed) await take(bytes);
      });
    });
  });
  admin.note(
    `All of ${slug} is in ${options.output}, except keys, secrets of webhooks, events and saved responses. It holds data of people: keep it as safe as the database.`,
  );
}
