import type { Admin } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { counted, table } from "../../tools/terminal/output.ts";
import { answer, type CommandEntry, command, option, required, WORKSPACE, YES } from "./table.ts";

interface User {
  id: string;
  email: string;
  fullName: string;
  role: string;
}

/** A user with the memberships and keys that end with the user. */
interface Holder extends User {
  memberships: number;
  keys: number;
}

const EMAIL = required("--email <email>", "their e-mail address");

/** docs/guides/keys.md */
export const USERS: CommandEntry[] = [
  command<{ workspace: string }>({
    words: "users list",
    about: "list the users",
    examples: ["users list --workspace acme"],
    options: [WORKSPACE],
    run: async (admin, { workspace }) =>
      answer(await admin.call<{ users: User[] }>("users-admin.list", { workspace }), ({ users }) =>
        table(
          ["ID", "EMAIL", "NAME", "ROLE"],
          users.map((user) => [user.id, user.email, user.fullName, user.role]),
        ),
      ),
  }),
  command<{ workspace: string; email: string; name?: string; role?: string }>({
    words: "users add",
    changes: "settings",
    about: "add a user, or change name and role of the one with this address",
    examples: ['users add --workspace acme --email grace@acme.test --name "Grace Hopper" --role admin'],
    options: [
      WORKSPACE,
      EMAIL,
      option("--name <name>", "their full name"),
      option("--role <role>", "their role in the workspace").choices(["admin", "member"]),
    ],
    async run(admin, { workspace, email, name, role }) {
      const given = { ...(name !== undefined && { fullName: name }), ...(role !== undefined && { role }) };
      const added = await admin.call<User>("users-admin.add", { workspace, email, ...given });
      return answer(added, (user) => `${user.id} ${user.email} is ${user.role}`);
    },
  }),
  command<{ workspace: string; email: string; yes?: boolean }>({
    words: "users remove",
    changes: "settings",
    about: "remove a user: keys stop working, memberships end, what they made stays",
    examples: ["users remove --workspace acme --email grace@acme.test"],
    options: [WORKSPACE, EMAIL, YES],
    async run(admin, { workspace, email, yes = false }) {
      if (!yes) await confirmUnlessScript(admin, await removalOf(admin, workspace, email));
      const removed = await admin.call<User>("users-admin.remove", { workspace, email });
      return answer(removed, (user) => `${user.id} ${user.email} is removed`);
    },
  }),
];

async function removalOf(admin: Admin, workspace: string, email: string): Promise<string> {
  const user = await admin.call<Holder>("users-admin.get", { workspace, email });
  const ends = `${counted(user.memberships, "membership")} and ${counted(user.keys, "key")} end`;
  return `This removes ${user.fullName} (${user.email}) from "${workspace}": ${ends}. Continue?`;
}
