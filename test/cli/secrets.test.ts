import { describe, expect, it } from "@jest/globals";
import type { Command } from "commander";
import { adminProgram } from "../../cli/commands/run.ts";
import { newKey } from "../../engine/secrets/api-keys.ts";
import { newSigningSecret } from "../../engine/secrets/signing-secret.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { adminScene } from "../support/admin-scene.ts";

// Somebody types, or a script puts, a secret where a command wants something else. docs/guides/keys.md

/**
 * What is typed for the arguments and options that are not tried: it fits, so that the command gets as far as it can.
 */
const FITTING: Record<string, string> = {
  workspace: "acme",
  user: "ada@acme.test",
  email: "ada@acme.test",
  group: "Sales",
  access: "full",
  role: "member",
  match: "email",
  dates: "dmy",
};

interface Place {
  name: string;
  argv(secret: string): string[];
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** Every place of a command in which a word may be typed. */
function placesOf(command: Command): Place[] {
  const words: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) words.unshift(one.name());
  const args = command.registeredArguments.map((argument) => argument.name());
  // A file that is written has the name that it was given, and the command says where it is.
  const valued = command.options.filter(
    ({ required, optional, long }) => (required || optional) && long !== "--output",
  );
  const argv = (tried: string, secret: string) => [
    ...words,
    ...args.map((name) => (name === tried ? secret : (FITTING[name] ?? "nothing"))),
    ...valued
      .filter((option) => option.mandatory || option.long === tried)
      .flatMap((option) => [
        option.long ?? "",
        option.long === tried ? secret : (FITTING[option.attributeName()] ?? "nothing"),
      ]),
  ];
  return [...args, ...valued.map(({ long }) => long ?? "")].map((tried) => ({
    name: `${words.join(" ")} ${tried}`,
    argv: (secret) => argv(tried, secret),
  }));
}

const silent = { print: () => undefined, note: () => undefined, interactive: false } as unknown as Admin;
const commands = leaves(adminProgram(silent));
const places = commands.flatMap(placesOf);
/** A word that is no option, an unknown option, an unknown command. */
const others: Place[] = [
  ...commands.map((command) => ({
    name: `${command.parent?.name()} ${command.name()} and one word more`,
    argv: (secret: string) => [...(placesOf(command)[0]?.argv("nothing") ?? [command.name()]), secret],
  })),
  { name: "an unknown command", argv: (secret) => [secret] },
  { name: "an unknown command below keys", argv: (secret) => ["keys", secret] },
  { name: "an unknown option", argv: (secret) => ["keys", "list", `--${secret}`] },
  { name: "help of an unknown command", argv: (secret) => ["help", secret] },
];

describe("a secret that is typed where none is wanted", () => {
  const { admin } = adminScene(
    "workspace: acme\nusers: [{ email: ada@acme.test }]\ngroups: [{ name: Sales, visibility: public }]\n",
  );

  it("finds places to type in", () => {
    expect(places.length).toBeGreaterThan(50);
  });

  it.each([...places, ...others])("is not shown: $name", async ({ argv }) => {
    const key = newKey();
    const secrets = [key, key.slice(0, 40), `x-${key}-x`, newSigningSecret()];
    for (const secret of secrets) {
      const [first = "", ...more] = argv(secret);
      const { out, err } = await admin.run("", first, ...more);
      const core = secret.replace(/^x-|-x$/g, "").slice(0, 24);
      // A signing secret that was given as a name is stored as one: nothing tells it from a name.
      if (!secret.startsWith("whsec_")) expect(out).not.toContain(core);
      expect(err).not.toContain(core);
    }
  });

  it("is stored nowhere: a command with a whole key among its words does nothing", async () => {
    const key = newKey();
    const { code, out, err } = await admin.run(
      "users add --workspace acme --email eve@acme.test --json --name",
      `Eve, ${key}`,
    );
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^An API key was typed where no key is expected, and is now in the history of this shell: end it with "keys revoke"/,
    );
    expect((await admin.run("users list --workspace acme")).out).not.toContain("eve@acme.test");
  });
});
