import type { Attack } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { makePeople, post } from "../attackers/requests.ts";
import type { Wanted } from "../wire.ts";

const HEAD = ["Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"];

function message(key: string, method: string, params: object = {}): Wanted {
  return { ...post(key, "/mcp", { jsonrpc: "2.0", id: 1, method, params }), head: HEAD };
}

function call(key: string, name: string, args: object): Wanted {
  return message(key, "tools/call", { name, arguments: args });
}

/** What an assistant can do that has lost its mind. */
export const ASSISTANTS: Attack[] = [
  {
    name: "lists of tools",
    about: "twenty assistants ask for the list of tools, 27 KB, again and again",
    prepare: (world) => () => flood(world, { perSecond: 200 }, (n) => message(anyKey(world, n), "tools/list")),
  },
  {
    name: "tools with a hundred records",
    about: "bulk tools change a hundred people with each call",
    prepare: async (world) => {
      const people = await makePeople(world, 100, () => ({}));
      const records = people.map((id) => ({ id, description: "abc ".repeat(1_000) }));
      return () =>
        flood(world, { perSecond: 40, atOnce: 40 }, (n) =>
          call(anyKey(world, n), "update_people", { records: records.map((one) => ({ ...one, jobTitle: `${n}` })) }),
        );
    },
  },
  {
    name: "arguments of ten megabytes",
    about: "tools are called with arguments of 10 MiB, of millions of members, and nested",
    prepare: (world) => {
      const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
      const unknown = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`argument ${i}`, i]));
      const all = [
        { filter: { fullName: { eq: "a".repeat(9_000_000) } } },
        unknown,
        { filter: unknown },
        { filter: nested(50) },
        { limit: Array(2_000_000).fill(0) },
      ];
      return () =>
        flood(world, { perSecond: 4, atOnce: 4 }, (n) => call(anyKey(world, n), "search_people", inTurn(all, n)));
    },
  },
  {
    name: "messages of any form",
    about: "tools that are not there, methods that nobody knows, protocols that never were, greetings",
    prepare: (world) => {
      const methods = ["initialize", "tools/nothing", "notifications/initialized", "m".repeat(20_000), "ping"];
      const bodies = ["[]", "1", '{"jsonrpc":"2.0"}', '{"jsonrpc":"3.0","id":{},"method":[]}', '""'];
      return () =>
        flood(world, { perSecond: 200 }, (n) =>
          n % 2
            ? message(anyKey(world, n), inTurn(methods, n), { protocolVersion: `${n}`, capabilities: {} })
            : { ...post(anyKey(world, n), "/mcp", inTurn(bodies, n)), head: HEAD },
        );
    },
  },
  {
    name: "the structure of the workspace",
    about: "assistants ask for the structure of a workspace of many fields, again and again",
    prepare: async (world) => {
      const path = `/v1/groups/${world.group}/custom-fields/person`;
      for (let n = 0; n < 100; n++) {
        const options = Array.from({ length: 50 }, (_, i) => ({ label: `${"l".repeat(100)} ${i}` }));
        const field = { type: "multipleSelect", name: `Select ${n}`, options };
        const made = await world.make(post(anyKey(world, n), path, field)).catch(() => undefined);
        if (!made) break;
      }
      return () => flood(world, { perSecond: 100 }, (n) => call(anyKey(world, n), "get_workspace_structure", {}));
    },
  },
];
