/**
 * The locks of the test's own database, to be put behind `from`. pg_locks has those of all databases of the server: the
 * tests of other workers take locks too, and the tables of a copied database have the same oids.
 */
export const OWN_LOCKS =
  "(select * from pg_locks where database = (select oid from pg_database where datname = current_database())) own_locks";
