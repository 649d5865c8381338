import pg from "pg";
import utils from "pg/lib/utils.js";

/** Explains statements as they are planned for their values. */
export interface Explainer {
  /** The plan as text. The statement does nothing. */
  explain(sql: string, values: readonly unknown[]): Promise<string>;
  end(): Promise<void>;
}

/**
 * Connects to a database. The values stand in the statement itself, because Citus knows the shard of no other; those
 * that are sent in binary are read back.
 */
export async function createExplainer(url: string): Promise<Explainer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set plan_cache_mode = force_custom_plan");
  const literal = (value: unknown, type: string) =>
    value === null || value === undefined ? "null" : client.escapeLiteral(textOf(value, type));
  return {
    async explain(sql, values) {
      await client.query(`prepare one as ${sql}`);
      try {
        const { rows } = await client.query<{ types: string[] }>(
          "select parameter_types::text[] as types from pg_prepared_statements where name = 'one'",
        );
        const listed = (rows[0]?.types ?? []).map((type, i) => literal(values[i], type));
        const list = listed.length > 0 ? `(${listed.join(", ")})` : "";
        const plan = await client.query({ text: `explain (costs off) execute one${list}`, rowMode: "array" });
        return plan.rows.flat().join("\n");
      } finally {
        await client.query("deallocate one");
      }
    },
    end: () => client.end(),
  };
}

function textOf(value: unknown, type: string): string {
  if (Buffer.isBuffer(value)) return type.endsWith("[]") ? arrayText(value, type) : `\\x${value.toString("hex")}`;
  return String(utils.prepareValue(value));
}

const HEADER_BYTES = 20;

/** The text of an array that is sent in binary (database/array-parameter.ts). */
function arrayText(bytes: Buffer, type: string): string {
  const entries: string[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    at += 4;
    const entry = bytes.subarray(at, at + Math.max(0, length));
    at += entry.length;
    if (length < 0) entries.push("NULL");
    else entries.push(JSON.stringify(entry.toString(type === "uuid[]" ? "hex" : "utf8")));
  }
  return `{${entries.join(",")}}`;
}
