import { type Command, Option } from "commander";
import type { Admin } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { counted, show, table } from "../../tools/terminal/output.ts";

interface User {
  id: string;
  email: string;
  fullName: string;
  role: string;
}

/** A user with what ends when they are removed. */
interface Holder extends User {
  memberships: number;
  keys: number;
}

type Options = { workspace: string; email: string; name?: string; role?: string; yes?: boolean; json?: boolean };

/** Adds `users list`, `users add` and `users remove`. docs/guides/running.md#keys-and-users */
export function addUsers(program: Command, admin: Admin): void {
  const users = program.command("users").description("users of a workspace");
  const command = (name: string, description: string) =>
    users
      .command(name)
      .description(description)
      .requiredOption("--workspace <slug>", "the workspace")
      .option("--json", "print JSON");

  command("list", "list the users").action(async ({ workspace, json = false }: Options) => {
    const list = await admin.call<{ users: User[] }>("users-admin.list", { workspace });
    show(admin, { json }, list, (shown) =>
      table(
        ["ID", "EMAIL", "NAME", "ROLE"],
        shown.users.map((user) => [user.id, user.email, user.fullName, user.role]),
      ),
    );
  });

  command("add", "add a user, or change name and role of the one with this address")
    .requiredOption("--email <email>", "their e-mail address")
    .option("--name <name>", "their full name")
    .addOption(new Option("--role <role>", "their role in the workspace").choices(["admin", "member"]))
    .action(async ({ workspace, email, name, role, json = false }: Options) => {
      const params = {
        workspace,
        email,
        ...(name !== undefined && { fullName: name }),
        ...(role !== undefined && { role }),
      };
      show(
        admin,
        { json },
        await admin.call<User>("users-admin.add", params),
        (user) => `${user.id} ${user.email} is ${user.role}`,
      );
    });

  command("remove", "remove a user: keys stop working, memberships end, what they made stays")
    .requiredOption("--email <email>", "their e-mail address")
    .option("--yes", "do not ask")
    .action(async ({ workspace, email, yes = false, json = false }: Options) => {
      if (!yes) await confirmUnlessScript(admin, await removalOf(admin, workspace, email));
      show(
        admin,
        { json },
        await admin.call<User>("users-admin.remove", { workspace, email }),
        (user) => `${user.id} ${user.email} is removed`,
      );
    });
}

async function removalOf(admin: Admin, workspace: string, email: string): Promise<string> {
  const user = await admin.call<Holder>("users-admin.get", { workspace, email });
  const ends = `${counted(user.memberships, "membership")} and ${counted(user.keys, "key")} end`;
  return `This removes ${user.fullName} (${user.email}) from "${workspace}": ${ends}. Go on?`;
}
