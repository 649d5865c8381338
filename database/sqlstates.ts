/**
 * All codes of PostgreSQL's errors on which our code depends, by their names in its manual ("PostgreSQL Error Codes").
 */
export const SQLSTATE = {
  protocolViolation: "08P01",
  featureNotSupported: "0A000",
  notNullViolation: "23502",
  foreignKeyViolation: "23503",
  uniqueViolation: "23505",
  readOnlyTransaction: "25006",
  inFailedTransaction: "25P02",
  idleInTransactionTimeout: "25P03",
  invalidAuthorization: "28000",
  invalidPassword: "28P01",
  invalidStatementName: "26000",
  invalidCatalogName: "3D000",
  serializationFailure: "40001",
  completionUnknown: "40003",
  deadlockDetected: "40P01",
  insufficientPrivilege: "42501",
  duplicatePreparedStatement: "42P05",
  diskFull: "53100",
  tooManyConnections: "53300",
  lockNotAvailable: "55P03",
  queryCanceled: "57014",
  adminShutdown: "57P01",
  crashShutdown: "57P02",
  cannotConnectNow: "57P03",
  idleSessionTimeout: "57P05",
} as const;

/**
 * Codes with which PostgreSQL refuses a row if another transaction has written the same name, or has deleted a row that
 * this one belongs to. The work can run again from its beginning, and then finds the result of the other transaction.
 */
export const CONFLICTS: readonly string[] = [SQLSTATE.uniqueViolation, SQLSTATE.foreignKeyViolation];
