import { WAITS } from "../../database/connection.ts";

/** For what is not about waits: on a busy machine a connection may take seconds to open. */
export const PATIENT = { ...WAITS, poolWaitMs: 20_000 };
