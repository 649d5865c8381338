import { describe, expect, it } from "@jest/globals";
import { type Answered, type GuideWorld, type Ran, runGuide } from "./run-guide.ts";

const ID = "per_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const GROUP = "grp_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e71";
const DATA = {
  id: ID,
  firstName: "Grace",
  emails: ["a@x.test", "b@x.test"],
  companies: [{ id: "com_1", name: "Navy" }],
};

const EXAMPLE = `# Sample

\`\`\`http
POST /v1/people
Idempotency-Key: a

{"groups": [{"id": "{groupId}"}],
 "firstName": "Grace"}
---
200
X-Request-Id: 0198…

{"data": {"id": "per_…", "firstName": "Grace", "emails": ["a@x.test", "b@x.test"], "companies": [{"name": "Navy"}]}}
\`\`\`
`;

const COMMAND = `\`\`\`yaml file=a.yaml
a: 1
\`\`\`

\`\`\`sh
npm ci
npm run -s workspace -- apply \\
  a.yaml --json
\`\`\`

\`\`\`json output
{"workspaces": [{"slug": "acme"}]}
\`\`\`

\`\`\`sh fails
npm run -s workspace -- export
\`\`\`

\`\`\`text
Workspace  is … missing.
\`\`\`
`;

/** A world that answers every request and command alike, and keeps what it was asked. */
function standIn({ answered = {}, ran = {} }: { answered?: Partial<Answered>; ran?: Partial<Ran> } = {}) {
  const asked: unknown[] = [];
  const answer = {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-request-id": "01985b3e" },
    text: JSON.stringify({ data: DATA }),
    ...answered,
  };
  const world: GuideWorld = {
    ids: { groupId: GROUP },
    send: async (sender, request) => {
      asked.push({ sender, ...request });
      return answer;
    },
    run: async (line) => {
      asked.push(line);
      const told = { code: 0, out: '{"workspaces":[{"slug":"acme","id":"wsp_1"}]}', err: "" };
      return line.endsWith("export")
        ? { code: 2, out: "", err: "Workspace is really missing.\n" }
        : { ...told, ...ran };
    },
    runWhole: async (language, text) => {
      asked.push([language, text]);
      return language === "python" ? null : { code: 0, out: text, err: "", ...ran };
    },
    write: (file, text) => asked.push([file, text]),
  };
  return { world, asked };
}

/** The example with one place changed. */
function doctored(right: string, wrong: string): string {
  if (!EXAMPLE.includes(right)) throw new Error(`The example has no ${right}.`);
  return EXAMPLE.replace(right, wrong);
}

describe("The runner of guides", () => {
  it("sends what an example shows, with ids in the place of names, and finds nothing when the answer is as shown", async () => {
    const { world, asked } = standIn();
    expect(await runGuide(EXAMPLE, world)).toEqual([]);
    expect(asked).toEqual([
      {
        sender: "ada",
        method: "POST",
        path: "/v1/people",
        headers: { "Idempotency-Key": "a" },
        body: `{"groups": [{"id": "${GROUP}"}],\n "firstName": "Grace"}`,
      },
    ]);
  });

  it.each([
    ["a wrong status", "200\nX-", "422\nX-", "the status is 200 and not 422"],
    ["a wrong header", "0198…", "0199…", 'X-Request-Id is "01985b3e" and does not begin as "0199…"'],
    ["a missing header", "X-Request-Id", "X-Request-Name", "X-Request-Name is missing"],
    [
      "a missing member",
      '"firstName": "Grace", "emails"',
      '"lastName": "Hopper", "emails"',
      "the body.data.lastName is missing",
    ],
    ["a wrong value", '"Grace", "emails"', '"Ada", "emails"', 'the body.data.firstName is "Grace" and not "Ada"'],
    [
      "a text for another kind of value",
      '"companies": [',
      '"companies": ["Navy"], "x": [',
      'the body.data.companies[0] is {"id":"com_1","name":"Navy"} and not "Navy"',
    ],
    ["an entry too many", '["a@x.test", "b@x.test"]', '["a@x.test"]', "the body.data.emails has 2 entries and not 1"],
    ["an entry too few", '"b@x.test"]', '"b@x.test", "c@x.test"]', "the body.data.emails has 2 entries and not 3"],
    [
      "entries in another order",
      '["a@x.test", "b@x.test"]',
      '["b@x.test", "a@x.test"]',
      'the body.data.emails[0] is "a@x.test"',
    ],
    ["an id that nothing has had", "{groupId}", "{companyId}", "{companyId} stands for nothing yet."],
    ["an answer that is no JSON", '"firstName": "Grace", "emails"', '"firstName": Grace, "emails"', "JSON"],
    ["no answer", "---\n", "", "An example is a request, a line of three hyphens and an answer."],
    ["a blank in the path", "/v1/people\n", "/v1/people?a=b c\n", '"POST /v1/people?a=b c" is no method and path'],
    ["a language that nobody knows", "```http", "```https", 'A block is no "https".'],
  ])("finds %s, and names its line", async (_, right, wrong, told) => {
    const [fault, ...more] = await runGuide(doctored(right, wrong), standIn().world);
    expect(more).toEqual([]);
    expect(fault).toMatch(/^3: /);
    expect(fault).toContain(told);
  });

  it.each([
    ["the beginning of a text", '"Grace", "emails"', '"Gr…", "emails"'],
    ["any value", '[{"name": "Navy"}]', '"…"'],
    ["the beginning of a list", '["a@x.test", "b@x.test"]', '["a@x.test", "…"]'],
    ["an example without its body", /\n\n\{"data.*\n/.exec(EXAMPLE)?.[0] ?? "", "\n"],
  ])("is content with %s", async (_, right, wrong) => {
    expect(await runGuide(doctored(right, wrong), standIn().world)).toEqual([]);
  });

  it("lets later examples name ids that were answered, and who sends them", async () => {
    const { world, asked } = standIn();
    const guide = `${EXAMPLE}\n\`\`\`http\nGET /v1/people/{personId} # as bob\n---\n200\n\`\`\`\n`;
    expect(await runGuide(guide, world)).toEqual([]);
    expect(asked[1]).toMatchObject({ sender: "bob", path: `/v1/people/${ID}`, body: undefined });
  });

  it("sends an example that is awaited until it is answered as shown", async () => {
    const { world, asked } = standIn();
    const statuses = ["pending", "pending", "failed"];
    const send: GuideWorld["send"] = async (sender, request) => ({
      ...(await world.send(sender, request)),
      text: JSON.stringify({ data: { status: statuses[asked.length - 1] } }),
    });
    const guide = `\`\`\`http\nGET /v1/enrichments # soon\n---\n200\n{"data": {"status": "failed"}}\n\`\`\`\n`;
    expect(await runGuide(guide, { ...world, send })).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  it("runs the commands of the workspace, with the files before them, and compares what they print", async () => {
    const { world, asked } = standIn();
    expect(await runGuide(COMMAND, world)).toEqual([]);
    expect(asked).toEqual([
      ["a.yaml", "a: 1\n"],
      "npm run -s workspace -- apply a.yaml --json",
      "npm run -s workspace -- export",
    ]);
  });

  it("runs a block as a whole, and compares what it prints; not where nothing runs its language", async () => {
    const { world, asked } = standIn({ ran: { out: `{"data": {"id": "${ID}"}}` } });
    const shown = (id: string) =>
      `\`\`\`sh run\ncurl {groupId}\n\`\`\`\n\n\`\`\`json output\n{"data": {"id": "${id}"}}\n\`\`\`\n`;
    const python = "\n```python run\nprint({personId})\n```\n\n```text\n1\n```\n";
    expect(await runGuide(`${shown("per_…")}${python}`, world)).toEqual([]);
    expect(asked).toEqual([
      ["sh", `curl ${GROUP}\n`],
      ["python", `print(${ID})\n`],
    ]);
    expect(await runGuide(shown("com_…"), world)).toEqual([expect.stringMatching(/^5: the output\.data\.id is "per_/)]);
  });

  it("finds a block that fails", async () => {
    const { world } = standIn({ ran: { code: 7, err: "no server" } });
    expect(await runGuide("```sh run\ncurl\n```\n", world)).toEqual(["1: The block ended with 7: no server"]);
  });

  it.each<[string, Partial<Ran>, RegExp]>([
    ["fails", { code: 1, err: "no" }, /^5: npm run .* apply a\.yaml --json\n {2}ended with 1: no/],
    [
      "prints something else",
      { out: '{"workspaces":[{"slug":"b"}]}' },
      /^11: the output\.workspaces\[0\]\.slug is "b"/,
    ],
    [
      "prints more of a list",
      { out: '{"workspaces":[{"slug":"acme"},{}]}' },
      /^11: the output\.workspaces has 2 entries/,
    ],
  ])("finds a command that %s", async (_, ran, told) => {
    const faults = await runGuide(COMMAND, standIn({ ran }).world);
    expect(faults[0]).toMatch(told);
  });

  it("finds a command that should fail and does not, and another text", async () => {
    const faults = await runGuide(COMMAND.replace("-- export\n", "-- export x\n"), standIn().world);
    expect(faults).toEqual([expect.stringMatching(/^15: .*\n {2}ended with 0/)]);
    expect(await runGuide(COMMAND.replace("missing", "there"), standIn().world)).toEqual([
      "19: The command printed:\nWorkspace is really missing.",
    ]);
  });
});
