import pg from "pg";
import utils from "pg/lib/utils.js";
import { type SessionSettings, settingsSql } from "../../database/session.ts";

/** Explains statements as they are planned for their values, unless other settings are given. */
export interface Explainer {
  /** The plan as text. The statement does nothing. */
  explain(sql: string, values: readonly unknown[]): Promise<string>;
  /** The plan of a statement that was run, with what it has read. */
  analyze(sql: string, values: readonly unknown[]): Promise<RunPlan>;
  end(): Promise<void>;
}

/** A node of a plan in JSON, with the figures of its run. */
export interface RunPlan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  /** For one loop. */
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  /** Of the node and those below it. */
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: RunPlan[];
}

/**
 * Connects to a database, with the settings of every session of ours. The values stand in the statement itself, because Citus knows the shard of no other; those
 * that are sent in binary are read back.
 */
export async function createExplainer(
  url: string,
  settings: SessionSettings = { plan_cache_mode: "force_custom_plan" },
): Promise<Explainer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(settingsSql());
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = ${value}`);
  const literal = (value: unknown, type: string) =>
    value === null || value === undefined ? "null" : client.escapeLiteral(textOf(value, type));
  async function explained(options: string, sql: string, values: readonly unknown[]): Promise<unknown[]> {
    await client.query(`prepare one as ${sql}`);
    try {
      const { rows } = await client.query<{ types: string[] }>(
        "select parameter_types::text[] as types from pg_prepared_statements where name = 'one'",
      );
      const listed = (rows[0]?.types ?? []).map((type, i) => literal(values[i], type));
      const list = listed.length > 0 ? `(${listed.join(", ")})` : "";
      const plan = await client.query({ text: `explain (${options}) execute one${list}`, rowMode: "array" });
      return plan.rows.flat();
    } finally {
      await client.query("deallocate one");
    }
  }
  return {
    explain: async (sql, values) => (await explained("costs off", sql, values)).join("\n"),
    async analyze(sql, values) {
      const [plans] = await explained("analyze, buffers, format json", sql, values);
      const [root] = plans as { Plan: RunPlan }[];
      if (!root) throw new Error("PostgreSQL has explained nothing");
      return root.Plan;
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
    else entries.push(entryText(entry, type));
  }
  return `{${entries.join(",")}}`;
}

function entryText(entry: Buffer, type: string): string {
  if (type === "bigint[]") return String(entry.readBigInt64BE());
  return JSON.stringify(entry.toString(type === "uuid[]" ? "hex" : "utf8"));
}
