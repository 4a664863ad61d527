#!/usr/bin/env bash
# Starts a member of the PostgreSQL cluster under Patroni: the first one becomes the primary, the next
# ones its standbys. Run it as an account that is not root.
set -euo pipefail

usage="Set NAME, such as node1, DATA to a folder, SUPERUSER_PASSWORD and REPLICATION_PASSWORD. Optional: ADDRESS (127.0.0.1), PORT (5432), API_PORT (8008), ETCD (127.0.0.1:2379; several are separated by commas) and BIN (the programs of PostgreSQL)."
: "${NAME:?$usage}" "${DATA:?$usage}" "${SUPERUSER_PASSWORD:?$usage}" "${REPLICATION_PASSWORD:?$usage}"
address="${ADDRESS:-127.0.0.1}"

export PATRONI_NAME="$NAME"
export PATRONI_ETCD3_HOSTS="${ETCD:-127.0.0.1:2379}"
export PATRONI_RESTAPI_LISTEN="$address:${API_PORT:-8008}"
export PATRONI_RESTAPI_CONNECT_ADDRESS="$address:${API_PORT:-8008}"
export PATRONI_POSTGRESQL_LISTEN="$address:${PORT:-5432}"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$address:${PORT:-5432}"
export PATRONI_POSTGRESQL_DATA_DIR="$DATA"
export PATRONI_POSTGRESQL_BIN_DIR="${BIN:-/usr/lib/postgresql/15/bin}"
export PATRONI_SUPERUSER_USERNAME=postgres
export PATRONI_SUPERUSER_PASSWORD="$SUPERUSER_PASSWORD"
export PATRONI_REPLICATION_USERNAME=replicator
export PATRONI_REPLICATION_PASSWORD="$REPLICATION_PASSWORD"

exec patroni "$(dirname "$0")/patroni.yml"
