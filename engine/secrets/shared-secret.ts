import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";

const SECRET_BYTES = 32;

/**
 * The secret of this name, which all processes of an installation share. The first process that needs it creates it.
 * @param name `cursor` for the seals of cursors, `bus` for the seals of messages between processes
 */
export async function loadSecret(database: Pick<Database, "read">, name: "cursor" | "bus"): Promise<Buffer> {
  const made = JSON.stringify(randomBytes(SECRET_BYTES).toString("base64url"));
  await database.read("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    `secret.${name}`,
    made,
  ]);
  const [row] = await database.read<{ value: string }>("select value from settings where name = $1", [
    `secret.${name}`,
  ]);
  return Buffer.from(row?.value ?? "", "base64url");
}
