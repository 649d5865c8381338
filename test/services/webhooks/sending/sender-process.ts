import { openDatabase } from "../../../../database/database.ts";
import { sender } from "./sending.ts";

// A sender in a process of its own, which can be killed: the address of the database is its only argument.
sender(await openDatabase(process.argv[2] ?? "", { applicationName: "sender" }));
process.stdout.write("ready\n");
