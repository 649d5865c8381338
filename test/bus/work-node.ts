import { startNode } from "./nodes.ts";
import { workService } from "./work-service.ts";

// The process of startChildNode. It ends with its parent, however that ends.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(1), 500);

const [natsUrl = ""] = process.argv.slice(2);
await startNode(natsUrl, workService);
process.stdout.write("started\n");
