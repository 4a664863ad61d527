/** Identifies a database, and not the server that holds it: a replica has the same identity. */
export const identitySql = `select system_identifier || '/' || oid as identity
  from pg_control_system(), pg_database where datname = current_database()`
