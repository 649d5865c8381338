import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { tools } from "../../../../services/gateway/mcp/tools.ts";
import { describeServer } from "../../../support/scene.ts";

const INSPECTOR = join(import.meta.dirname, "..", "..", "..", "..", "node_modules", ".bin", "mcp-inspector");

interface Inspected {
  status: number;
  output: string;
  errors: string;
}

// docs/guides/assistants.md#trying-it
describeServer("The command line of the MCP Inspector", (scene) => {
  async function inspect(key: string, ...args: string[]): Promise<Inspected> {
    const at = ["--cli", `${scene.server.base}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
    const child = spawn(process.execPath, [INSPECTOR, ...at, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const inspected = { status: -1, output: "", errors: "" };
    child.stdout.on("data", (chunk) => {
      inspected.output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      inspected.errors += chunk;
    });
    inspected.status = await new Promise((resolve) => child.on("close", (code) => resolve(code ?? -1)));
    return inspected;
  }
  const callOf = (tool: string, argument: string) => [
    ...["--method", "tools/call", "--tool-name", tool],
    ...["--tool-arg", argument],
  ];

  it("lists the tools, and finds no schema that a model might not take", async () => {
    const { ada } = await scene.workspace();
    const { status, output, errors } = await inspect(ada.key, "--method", "tools/list", "--strict");
    expect([status, errors]).toEqual([0, ""]);
    expect(JSON.parse(output).tools).toHaveLength(tools.length);
  });

  it("calls them, and sees when one is refused", async () => {
    const { ada } = await scene.workspace();
    const made = await inspect(ada.key, ...callOf("create_person", "fullName=Grace Hopper"));
    expect([made.status, JSON.parse(made.output)]).toMatchObject([
      0,
      { structuredContent: { data: { fullName: "Grace Hopper" } } },
    ]);
    const refused = await inspect(ada.key, ...callOf("create_person", "gender=X"));
    expect(JSON.parse(refused.output)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "UNPROCESSABLE_ENTITY" } },
    });
    expect(refused.errors).toContain("tool_is_error");
  });

  it("is refused without a key", async () => {
    const { status, errors } = await inspect("nonsense", "--method", "tools/list");
    expect([status === 0, errors]).toEqual([false, expect.stringContaining("auth_required")]);
  });
});
