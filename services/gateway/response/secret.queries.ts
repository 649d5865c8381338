import { randomBytes } from "node:crypto";
import type { Database } from "../../../lib/database/database.ts";

const SECRET_BYTES = 32;

/** The secret of this name, which all gateways share. The first one that asks for it makes it. */
export async function loadSecret(database: Database, name: string): Promise<Buffer> {
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
