import { expect, it } from "@jest/globals";
import { tools } from "../../services/gateway/mcp/tools.ts";
import { describeServer } from "../support/scene.ts";
import { ACCEPT, call } from "./assistant-call.ts";

const VERSION = "2025-11-25";
/** Parts of an answer that would show the inside of the server or of a library. */
const INSIDE = /node_modules|\.ts:|at Object|-32603|Invalid input/;
const GREETING = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

// docs/guides/assistants.md#the-protocol, docs/guides/assistants.md#security
describeServer("The endpoint of assistants", (scene) => {
  async function setUp() {
    const { ada } = await scene.workspace();
    const send = async (body: unknown, { method = "POST", path = "/mcp", ...headers }: Record<string, string> = {}) => {
      const answer = await fetch(`${scene.server.base}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${ada.key}`,
          "Content-Type": "application/json",
          Accept: ACCEPT,
          ...headers,
        },
        ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, json: text === "" ? undefined : JSON.parse(text) };
    };
    return { ada, send };
  }

  it("greets as a server of tools, without a session, so that any gateway can answer what comes next", async () => {
    const { send } = await setUp();
    const { status, headers, json } = await send(GREETING);
    expect([status, headers.get("content-type"), headers.get("mcp-session-id")]).toEqual([
      200,
      "application/json; charset=utf-8",
      null,
    ]);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(json).toMatchObject({
      id: 1,
      result: { protocolVersion: VERSION, capabilities: { tools: {} }, serverInfo: { name: "contact-workspace" } },
    });
    const noted = await send(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { "MCP-Protocol-Version": VERSION },
    );
    expect([noted.status, noted.text]).toEqual([202, ""]);
    const listed = await send({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { "MCP-Protocol-Version": VERSION });
    expect(listed.json.result.tools).toHaveLength(tools.length);
  });

  it("answers JSON whatever is accepted, and every version of the protocol that it knows", async () => {
    const { send } = await setUp();
    const list = { jsonrpc: "2.0", id: "a", method: "tools/list" };
    for (const accept of ["application/json", "text/event-stream", "*/*"])
      expect((await send(list, { Accept: accept })).json.id).toBe("a");
    for (const version of ["2025-03-26", "2025-06-18", VERSION])
      expect((await send(list, { "MCP-Protocol-Version": version })).status).toBe(200);
    const { status, json } = await send(list, { "MCP-Protocol-Version": "1999-01-01" });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("1999-01-01")]);
  });

  it.each([
    ["no JSON", "{", 400],
    ["no message", { hello: 1 }, 400],
    ["an empty body", "", 400],
    ["several messages, which would be counted as one", [GREETING, GREETING], 400],
    ["a method that there is not", { jsonrpc: "2.0", id: 1, method: "resources/list" }, 200],
    ["a call without a name", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, 200],
    ["a call whose params are a list", { jsonrpc: "2.0", id: 1, method: "tools/call", params: ["get_person"] }, 400],
    ["a call without params", { jsonrpc: "2.0", id: 1, method: "tools/call" }, 200],
    ["a call of a number", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 5 } }, 200],
    ["an id that cannot be repeated", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/list"}', 400],
    ["a call as a task", { ...call("get_current_user"), params: { name: "get_current_user", task: { ttl: 1 } } }, 200],
  ])("refuses %s", async (_, body, expected) => {
    const { send } = await setUp();
    const { status, json } = await send(body);
    expect([status, "error" in json, "result" in json]).toEqual([expected, true, false]);
    expect(JSON.stringify(json)).not.toMatch(INSIDE);
  });

  it.each([
    ["no params", { method: "tools/list", params: null }],
    ["a cursor of its own", { method: "tools/list", params: { cursor: 5 } }],
    ["a greeting without a name and a revision", { method: "initialize", params: { capabilities: 5 } }],
    ["no arguments", { method: "tools/call", params: { name: "get_current_user", arguments: null, _meta: null } }],
    ["a state of another server", { method: "tools/call", params: { name: "get_current_user", requestState: 5 } }],
  ])("answers %s", async (_, message) => {
    const { send } = await setUp();
    const { status, json } = await send({ jsonrpc: "2.0", id: 1, ...message });
    expect([status, json.result?.isError, "error" in json]).toEqual([200, undefined, false]);
  });

  it.each(["GET", "DELETE", "PUT", "PATCH"])("has no %s", async (method) => {
    const { send } = await setUp();
    const { status, headers, json } = await send(undefined, { method });
    expect([status, headers.get("allow"), json.error.code]).toEqual([405, "POST", "METHOD_NOT_ALLOWED"]);
  });

  it("is at one path, and everything beside it needs a key and is not there", async () => {
    const { send } = await setUp();
    for (const path of ["/mcp/", "/mcp/tools", "/%6Dcp/x"]) {
      expect((await send(GREETING, { path })).status).toBe(404);
      expect((await send(GREETING, { path, Authorization: "" })).status).toBe(401);
    }
  });

  it("wants a key, and tells nothing without one", async () => {
    const { send } = await setUp();
    for (const key of ["", "Bearer nonsense", "Basic YTpi"]) {
      const { status, headers, json } = await send(GREETING, { Authorization: key });
      expect([status, headers.get("www-authenticate"), json.error.code]).toEqual([401, "Bearer", "UNAUTHORIZED"]);
    }
  });

  it("refuses pages of other sites", async () => {
    const { send } = await setUp();
    const own = new URL(scene.server.publicUrl).origin;
    expect((await send(GREETING, { Origin: own })).status).toBe(200);
    for (const origin of ["https://evil.example", "null", `${own}.evil.example`, own.replace("https", "http")]) {
      const { status, json } = await send(call("create_person", { firstName: "Evil" }), { Origin: origin });
      expect([origin, status, json.error.code]).toEqual([origin, 403, "FORBIDDEN"]);
    }
    expect((await send(call("search_people"))).json.result.structuredContent.data.items).toEqual([]);
  });

  it("refuses a body that is too large", async () => {
    const { send } = await setUp();
    const { status, json } = await send(call("create_person", { description: "x".repeat(11 * 1024 * 1024) }));
    expect([status, json.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});
