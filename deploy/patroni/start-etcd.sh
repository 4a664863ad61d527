#!/usr/bin/env bash
# Starts a member of etcd, in which Patroni keeps who is the primary. In production, run three members
# on three machines: https://etcd.io/docs/v3.4/op-guide/clustering/.
set -euo pipefail

usage="Set DATA to a folder. Optional: NAME (etcd1), ADDRESS (127.0.0.1), PORT (2379), PEER_PORT (2380) and CLUSTER (<name>=http://<address>:<peer port>, separated by commas; by default only this member)."
: "${DATA:?$usage}"
name="${NAME:-etcd1}"
address="${ADDRESS:-127.0.0.1}"
client="http://$address:${PORT:-2379}"
peer="http://$address:${PEER_PORT:-2380}"

exec etcd \
  --name "$name" \
  --data-dir "$DATA" \
  --listen-client-urls "$client" --advertise-client-urls "$client" \
  --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" \
  --initial-cluster "${CLUSTER:-$name=$peer}" \
  --logger zap --log-level warn
